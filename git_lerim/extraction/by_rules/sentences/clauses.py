"""Recognize a clause that tells what a system does: it may be the reason for an order before it."""

import re
from importlib.resources import files

from git_lerim.extraction.by_rules.sentences.imperatives import NO_VERB, PREDICATE, is_order
from git_lerim.memories.checks.learned.weights import Weights

DECISIONS = Weights(files(__package__) / "decisions.tsv")
_POSSIBLE = -2.0  # score below which hardly any order settles a question of design

# what an order of the moment is about, or who wants it: `…, the page scrolls forever`
OF_THE_MOMENT = (
    r"(?:pages?|screen|buttons?|layout|view|text|lines?|labels?|logo|icon|list|table|menu|modal|"
    r"form|card|sidebar|header|footer|title|column|blue|red|console|linter|tests?|suite|editor|"
    r"reviewer|designer|boss|manager|client|customers?|users?|people|team|sales|ci|build|logs?|"
    r"branch|pr|commit|import|functions?|class|method|files?|code|runner|login|password|"
    r"animation|video|image|template|ones?|others?|rest|it|that|this|they|we|you|i|he|she|who|"
    r"there|nobody|everybody|everyone|someone)\b"
)
_WHICH = r"(?:other|first|second|next|last|current|new|old|same|whole)\b"
_PLACE = r"(?:a|above|at|below|by|for|from|in|into|of|on|onto|over|to|under|with|and|or|but|not)\b"
_WORD = rf"(?!{_PLACE})[\w.’'/-]+"
_SUBJECT = (
    rf"(?:(?:(?:the|our|an?|every|each|most|many|some|all|both|two|three|four|\d+) )(?!{_WHICH})"
    rf"(?:{_WORD} ){{0,2}}?|(?!{NO_VERB} ))(?!{OF_THE_MOMENT}){_WORD}"
    r"(?: (?:on|in|of|behind) (?:the|our|every|each) [\w-]+)?"
)
# what is wrong at present, or what somebody says
_WRONG = (
    r"(?:is|was|has|does|looks|seems|works|fails|shows|says|overlaps|complains|crashes|hangs|"
    r"throws|misses|lacks|exists|takes|returns|hurts|lags|flickers|jumps|stops|dies|"
    r"scrolls|gets|prints)\b"
)
_DOES = (
    rf"(?:(?!{_WRONG})[a-z]{{2,}}(?<=[^s\W])s\b|(?:change|start|break|expire|arrive|live|run|share|"
    r"migrate|lock|drop|lose|reject|accept|allow|block|cut|send|need|use|come)\b|(?:has|have) no\b|"
    r"can(?:not|[’']t)\b|do(?:es)?(?:n[’']t| not)\b)"
)
_TELLS = re.compile(
    rf"{_SUBJECT} (?:(?:already|only|still|always|never|often|usually|also) )?{_DOES} "
    rf"(?!(?:and|or|then|again|now|too|sometimes)\b|{PREDICATE})\w",
    re.IGNORECASE,
)
# what is done once, or changes only how a thing looks
_DONE_ONCE = re.compile(
    r"(?:please |also |now |then |just )*(?:add|align|build|center|change|check|clean|close|create|"
    r"delete|disable|display|drop|enable|extend|fix|hide|implement|improve|increase|install|merge|"
    r"migrate|move|open|put|reduce|refactor|remove|rename|replace|reset|restore|revert|show|style|"
    r"turn|update|upgrade)\b",
    re.IGNORECASE,
)

_REASON = re.compile(
    r"(?P<otherwise>, otherwise (?=\w+ \w+ \w+))|,? (?:because|since|bc) ", re.IGNORECASE
)


def tells(clause: str) -> bool:
    """Return whether a clause tells what a system does: `the proxy cuts long connections`."""
    return _TELLS.match(clause) is not None


def explains_itself(order: str) -> bool:
    """Return whether a clause of an order tells why: `Round it per line, the tax office …`."""
    told = [clause for clause in order.split(", ")[1:] if tells(clause)]
    by_name = all(clause[:1].isupper() for clause in told)  # `Ann likes it`
    return bool(told) and lasts(order) and (not by_name or may_be_design(order))


def may_be_design(order: str) -> bool:
    """Return whether the words of an order may be those that settle a question of design."""
    return DECISIONS.score(order) > _POSSIBLE


def lasts(order: str) -> bool:
    """Return whether an order says how a thing has to be, rather than what to do once."""
    return is_order(order, done=True) and _DONE_ONCE.match(order) is None


def without_reason(order: str) -> str:
    """Return an order without the reason at its end; "" if it gives no lasting reason."""
    found = _REASON.search(order)
    told = found and (found["otherwise"] or tells(order[found.end() :]))
    return order[: found.start()] if found and told and lasts(order) else ""
