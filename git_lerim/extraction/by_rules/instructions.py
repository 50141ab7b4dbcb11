"""Tell whether the text of a pitfall gives an instruction, which only a person may give.

A pitfall may say what was wrong and what a program needs. It gives an instruction, however worded,
if it says what people or agents have to do, what to do each time, or to use a command or setting
that a program's output names.
"""

import re

from git_lerim.memories.checks.commands.command_lines import commands_in
from git_lerim.memories.checks.disguise import undisguised

_OBLIGED = (
    r"(?:must|should|shall|ought to|ha(?:s|ve) to|needs? to|(?:is|are) (?:required|expected|"
    r"supposed|obliged|asked|advised) to|had better)"
)
_PEOPLE = (
    r"(?:contributors?|developers?|devs|committers?|authors?|maintainers?|engineers?|reviewers?|"
    r"(?:coding )?agents?|assistants?|users?|people|everyone|everybody|anyone|whoever|nobody|"
    r"(?:the|your|our) team|team members?|you|we)"
)
_DO = (
    r"(?:run|rerun|execute|export|set|unset|use|install|reinstall|uninstall|delete|remove|commit|"
    r"push|source|invoke|call|touch|downgrade|upgrade|disable|enable|turn|switch|skip|ignore|pass|"
    r"put|add|append|copy|download|fetch|request|ask|never|always|do not|don[’']t|make sure|"
    r"remember to|let)"
)
_DONE = (
    r"(?:pushed|published|uploaded|exported|touched|downgraded|disabled|skipped|turned|switched)"
)
_EACH = (
    r"(?:\b(?:before|after|on|with|for|at|during|in) (?:each|every|any|all) (?:\w+ )?(?:commit|"
    r"push|build|release|pull|run|session|change|test|merge|deploy|checkout|project|install|"
    r"branch|clone)\w*|\bwhenever\b|\b(?:each|every) time\b|\bfrom now on\b|\bin (?:the )?future\b|"
    r"\balways\b)"
)
_SETS = r"(?<![\w$-])[A-Z][A-Z0-9_]+=[^\s`”;,]+"
_BEGINS = r"(?:^\W*|[,:—–“] ?|\b(?:so|then) )(?:please |just |first |also |now )*"
_ORDERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_PEOPLE} (?:\w+ ){{0,3}}?{_OBLIGED}\b",
        r"\b(?:contributors?|developers?|maintainers?|reviewers?|team) (?:expect|want|require)s?\b",
        rf"\b{_OBLIGED} (?:\w+ )?be {_DONE}\b",
        rf"{_BEGINS}{_DO}\b(?! (?:by|is|are|was|were|of)\b)(?! \w+ed\b)",
        rf"{_EACH}.*\b{_OBLIGED}\b|\b{_OBLIGED}\b.*{_EACH}",
        rf"{_EACH}.*(?-i:{_SETS})|(?-i:{_SETS}).*{_EACH}",
    )
)
_NEEDED = re.compile(
    rf"\b(?:{_OBLIGED}|requires?|by running|the (?:fix|cure|remedy|solution|workaround) (?:is|was)|"
    r"(?:fixed|cured|solved|repaired|resolved) (?:by|with))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


def instructs(text: str, output: str) -> bool:
    """Return whether a text gives an instruction; `output` is that of the command that failed."""
    output = undisguised(output)
    return any(
        any(order.search(sentence) for order in _ORDERS)
        or (_NEEDED.search(sentence) is not None and _repeats(sentence, output))
        for sentence in _SENTENCE.split(undisguised(text))
    )


def _repeats(sentence: str, output: str) -> bool:
    """Return whether a sentence names a command or setting that a program's output names."""
    named = [command for *_, command in commands_in(sentence)]
    return any(each in output for each in (*named, *re.findall(_SETS, sentence)))
