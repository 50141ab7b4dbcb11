"""Parse memories in the exact form that `render` writes, without YAML.

This takes well under a second for 10,000 files. Any other form is left to the YAML parser.
"""

import re
from operator import attrgetter
from typing import Any

from git_lerim.memories.clean_text import clean_body
from git_lerim.memories.format.columns import Scanner
from git_lerim.memories.format.forms import LINE, OBJECT_ID, WORD
from git_lerim.memories.format.quantities import FLAG, TIME
from git_lerim.memories.format.unknown import NOTHING, Unknown
from git_lerim.memories.handoff import check
from git_lerim.memories.memory import HEAD, Memory, Primitive


def _row(name: str, pattern: str, *, block: bool, optional: bool) -> str:
    shown = rf"{name}:{'' if block else ' '}({pattern})\n"
    return f"(?:{shown})?" if optional else shown


_HEAD = re.compile(
    "".join(
        _row(each.name, each.form.pattern, block=each.form.block, optional=each.optional)
        for each in HEAD
    )
    + r"(automatic: [^\0]*)?"
)
_SCANNER = Scanner(Memory, HEAD)
_NAMES = [each.name for each in HEAD]
_VALUES = attrgetter(*_NAMES)
_MISSING = [each for each in HEAD if each.missing]
_WHO = (
    rf"\{{agent: (?:null|({WORD.pattern})), at: ({TIME.pattern}), session:"
    rf" (?:null|({WORD.pattern})), who: ({LINE.pattern})\}}"
)
_HANDOFF = re.compile(
    rf"automatic: ({FLAG.pattern})\nbranch: (?:null|({WORD.pattern}))\nclaimed_by:"
    rf" (?:null|{_WHO})\n"
    rf"folder: \"([ !#-\[\]-~]*)\"\nhead: (?:null|({OBJECT_ID.pattern}))\nto:"
    rf" (?:null|({WORD.pattern}))\n"
)


class _NotOurs(ValueError):
    """Raised if a text is not in the form that `render` writes."""


def read_canonical(head: str, body: str) -> Memory | None:
    """Return the memory in normal form, or None if the text is not as `render` writes it."""
    if not (found := _HEAD.fullmatch(head)):
        return None
    *shown, handoff = found.groups()
    try:
        made = _SCANNER.make(shown)
        for each in _MISSING:
            if getattr(made, each.name) is None:
                object.__setattr__(
                    made,
                    each.name,
                    each.when_missing(dict(zip(_NAMES, _VALUES(made), strict=True))),
                )
        object.__setattr__(made, "body", clean_body(body))
        object.__setattr__(
            made, "unknown", _details(made.primitive, handoff) if handoff else NOTHING
        )
    except (
        ValueError,
        KeyError,
    ):  # a date or a name that does not exist: the YAML parser reports it
        return None
    return made


def _details(primitive: Primitive, shown: str) -> Unknown:
    """Return the fields that only handoffs have."""
    if (
        not (found := _HANDOFF.fullmatch(shown))
        or primitive is not Primitive.HANDOFF
        or "\\" in shown
    ):
        raise _NotOurs
    automatic, branch, agent, at, session, who, folder, head, to = found.groups()
    claim = (
        {"agent": _bare(agent), "at": _bare(at), "session": _bare(session), "who": LINE.scan(who)}
        if at
        else None
    )
    values: dict[str, Any] = {
        "automatic": automatic == "true",
        "branch": _bare(branch),
        "claimed_by": claim,
        "folder": folder,
        "head": _bare(head),
        "to": _bare(to),
    }
    check(values)
    return Unknown(values)


def _bare(shown: str | None) -> str | None:
    return shown[1:-1] if shown else None
