"""Find what a title replaces: `A` and `TOPIC` in `Move TOPIC to B instead of A`."""

import re
from functools import lru_cache
from typing import NamedTuple

from git_lerim.memories.memory import TITLE_LIMIT

_LONGEST = 2 * TITLE_LIMIT
_MOVE = r"(?:mov|switch|migrat|chang)(?:e|es|ed|ing)?"
_KEEP = r"(?:stor|sav|hold|kept|keep|liv|run)(?:e|es|s|ed|ing)?"
_USE = r"(?:us|adopt|prefer|choos|pick|tak|rely|relies|depend|need)(?:e|es|s|ed|ing)?(?: on)?"
_LIMITS = "for|in|on|at|when|if|during|until|while|only|under|within|except|unless"
_END = rf"(?=\s+(?:{_LIMITS}|to|because|since|as|so|with|by|and|from)\b(?!-)|\s*[,;:.()]|\s*\Z)"
_LIMIT = re.compile(rf"\b(?:{_LIMITS}|of)\b(?!-).*", re.IGNORECASE)
_MAY_GIVE_UP = re.compile(
    r"stead of|than|place of|replac|supersed|favou?r|longer|\bover\b|\bforget\b|\bscrap\b|\bnot\b|"
    r"\bswap(?:ped)?\b|\bnow\b|\bfrom\b|statt|anstelle|au lieu|plutôt que|en (?:lugar|vez) de|"
    r"em vez de|ao invés d|invece d|al posto d|in plaats van|zamiast|вместо"
)
_REFUSED = re.compile(
    r"\b(?:(?:do|does|should|must|will) not|(?:don|shouldn|mustn|can|won)['’]t|cannot|not to|"
    r"not yet|never|avoid|without|may|might|could|can|consider|maybe|perhaps|try|unless|would)\b"
)
INSTEAD = (
    r"(?:an)?statt|anstelle von|au lieu d(?:e|['’])|plutôt que|en (?:lugar|vez) de|em vez de|"
    r"ao invés de|invece d(?:i|el\w*)|al posto d(?:i|el\w*)|in plaats van|zamiast|вместо"
)
# why a thing is given up: `We deploy to B now, A got too expensive`
_FAILS = (
    r"(?:(?:gets?|got|becomes?|became|is|was|are|were) (?:just |way |far |getting )?(?:too \w+|"
    r"overkill|dead|gone|deprecated|discontinued|expensive|slow|unreliable|a mistake)|"
    r"keeps? \w+ing|kept \w+ing|(?:did|does|do|can|could)(?: not|n['’]?t)|cannot|no longer|"
    r"stopped|shut down|raised (?:its|their|the) prices?|has no)\b"
)
_PRACTICE = r"(?P<subject>we \w+(?: \w+)*?) (?:to|with|on|in|via|through) [^,;:]+? now"
_NOW = r"(?:now |will |should |must |shall |has to |gets? )*"

_BESIDE = re.compile(
    rf"(?:\b(?:instead of|rather than|in place of|{INSTEAD})|"
    r",\s*(?:and\s+)?(?:not|no longer))\s+(?:using |with |on )?"
    rf"(?P<old>.+?)(?:{_END}|\s(?:verwenden|nutzen|benutzen|nehmen)\b)",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    rf"(?P<subject>.*?)\b{_NOW}(?:(?:{_MOVE}|{_KEEP}|goes?)\b(?P<object>.*?)\b(?:over to|to|in|on|"
    rf"at|as)|{_USE}|(?:is|are|becomes?))\b",
    re.IGNORECASE,
)
_GIVES_UP = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            rf"(?P<subject>.*?)\b{_NOW}{_MOVE}\b(?P<object>.*?)\bfrom (?P<old>.+?) (?:over )?to"
            r" (?P<after>.+)"
        ),
        rf"(?P<subject>.*?)\b{_NOW}replac(?:e|ed|ing) (?P<old>.+?) (?:with|by) (?P<after>.+)",
        (
            rf"(?P<subject>.*?)\b{_NOW}swap(?:ped)? (?P<old>.+?) (?:for|with) \S+"
            r"(?: as (?P<object>[^,;:]+))?(?P<after>.*)"
        ),
        (
            rf"(?P<subject>.*?)\b{_NOW}(?:drop(?:s|ped|ping)?|leav(?:e|es|ing)) (?P<old>.+?) in"
            r" favou?r of (?P<after>.+)"
        ),
        (
            r"(?P<old>.+?) (?:is|are|was|were) (?:now )?(?:replaced|superseded) (?:with|"
            r"by) (?P<after>.+)"
        ),
        rf"(?P<subject>.*?)\b(?:is |are )?no longer (?:{_USE} )?(?P<old>.+?){_END}(?P<after>.*)",
        rf"{_PRACTICE}(?:,| [–—-]) (?P<old>[^\s,]+(?: [^\s,]+)?) {_FAILS}(?P<after>.*)",
        rf"(?P<old>[^\s,]+(?: [^\s,]+)?) {_FAILS}[^,;]*[,.] (?:so )?{_PRACTICE}(?P<after>)",
        rf"prefer .+? over (?P<old>.+?){_END}(?P<after>.*)",
        rf"(?:{_USE} )?not (?P<old>[^,;:]+?),? but (?P<after>.+)",
        (
            r"(?:forget|scrap|drop) (?:about )?(?!(?:what|everything|it|that|this)\b)"
            r"(?P<old>[^\s,;:]+(?: [^\s,;:]+){0,2})[,;:] (?:(?:we|i|let['’]s)(?:['’]ll| will)? )?"
            rf"(?:just )?(?:{_USE}|(?:go|stay|stick|switch) (?:with|for|back to|to)) (?P<after>.+)"
        ),
    )
)
_REPLACES = re.compile(
    r"(?P<left>.+?) (?:replaces|supersedes) (?P<old>.+?)(?: (?:with|by)"
    rf" (?P<new>.+)|{_END}(?P<after>.*))",
    re.IGNORECASE,
)


MOVED = re.compile(rf"\b(?:{_MOVE}|go|goes) (?:over )?to\b", re.IGNORECASE)
CHOOSING = (
    "adopt choose chosen pick prefer put rely stay store stored kept live based hold held save run"
    " take"
)
MOVING = (
    "move switch swap migrate change go goes back over replace drop forget scrap favour favor"
    " longer"
)

# with which a person begins, before saying what to do: `Sorry, I meant`
_OPENS = re.compile(
    r"(?:(?:ok(?:ay)?|yes|no|nope|sorry|hm+|oh|well|wait|actually|please|now|then|but|and|so|"
    r"on second thoughts?|(?:(?:i|we)(?:['’]ve| have)? )?changed (?:my|our) minds?|i meant?|"
    r"let['’]?s|"
    r"(?:we(?:['’]ll| will)? )?go with|i(?= prefer\b))(?:[,:;.!]| [–—-])* +)+",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"[,;]?\s+(?:because|since|so that|otherwise|in order to|as (?:it|they|we))\b|"
    r";\s|,\s(?=please\b)",
    re.IGNORECASE,
)

# `from now on` in other languages
HENCEFORTH = (
    r"(?:ab (?:jetzt|sofort)|künftig|désormais|à partir de maintenant|a partir de (?:ahora|agora)|"
    r"de ahora en adelante|d['’]ora in poi|vanaf nu|voortaan|od teraz|отныне|с этого момента|"
    r"теперь)"
)
_HENCE = re.compile(
    rf",?\s*\b(?:from (?:now|here|today) on(?:wards?)?|{HENCEFORTH})\b,?\s*", re.IGNORECASE
)
# up to a new choice: `Write tests with`, `Use`
_SLOT = re.compile(
    r"\s*(?:.*\b(?:in|with|on|to|as|via|by|at|into|for|of|from|when|if|under|during|"
    r"after|before|where|per|inside)|\S+)\s",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r",\s+(?:even (?:when|if|though)\b|"
    r"(?:i|we)\s(?:really\s)?(?:do not|don['’]?t|hate|want)\b|"
    r"(?:(?:the|it|they|we|i|that|this|these|those|my|our|its)\b(?:\s[^\s,;:.]+){0,3}?|"
    r"[^\s,;:.]+(?:\s[^\s,;:.]+)?)(?:['’](?:s|re|ve)|\s(?:is|are|was|were|has|have|had|gets?|got|"
    r"needs?|takes?|fills?|reads?|keeps?|makes?|does|do|can['’]?t|cannot|left|works?|breaks?))\b)"
    r"(?!.*\b(?:only|except|unless|but|still|stays?|remains?|if|for now|must|should|never|always|"
    r"instead)\b).*",
    re.IGNORECASE,
)


class Replacement(NamedTuple):
    """What a title says is replaced, and the topic: `A` and `T` in `Move T to B instead of A`."""

    old: str
    topic: str
    new: str = ""  # of `Write tests with NEW instead of OLD`, `Use NEW instead of OLD`


def bare(title: str) -> str:
    """Return what a title says, without the words that introduce it and without its reason."""
    title = _HENCE.sub(" ", title).strip()
    opening = _OPENS.match(title)
    said = title[opening.end() :] if opening else title
    return _WHY.split(said.strip().rstrip("."), maxsplit=1)[0]


def without_remark(title: str) -> str:
    """Return a title without the statement behind its last comma, such as `, the disk is full`."""
    return _REMARK.sub("", title) if len(title) <= _LONGEST else title


@lru_cache(1 << 14)
def replacement(title: str) -> Replacement | None:
    """Return what a title explicitly replaces, or None."""
    title = bare(title)
    small = title.lower()
    if len(title) > _LONGEST or not _MAY_GIVE_UP.search(small) or _REFUSED.search(small):
        return None
    if beside := _BESIDE.search(title):
        before, after = title[: beside.start()], title[beside.end() :]
        choice = _CHOICE.match(before)
        left = f"{choice['subject']} {choice['object'] or ''}" if choice else ""
        return Replacement(
            beside["old"],
            f"{left} {_limits(before[choice.end() :] if choice else before)} {_limits(after)}",
            _SLOT.sub("", before, count=1),
        )
    if found := _REPLACES.fullmatch(title):  # `TOPIC replaces A with B`, `B replaces A for TOPIC`
        return Replacement(
            found["old"],
            f"{found['left']} {_limits(found['new'])}" if found["new"] else _limits(found["after"]),
        )
    for pattern in _GIVES_UP:
        if found := pattern.fullmatch(title):
            parts = found.groupdict()
            return Replacement(
                parts["old"],
                f"{parts.get('subject', '')} {parts.get('object') or ''} {_limits(parts['after'])}",
            )
    return None


def _limits(text: str) -> str:
    found = _LIMIT.search(text)
    return found[0] if found else ""
