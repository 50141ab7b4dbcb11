"""What render wrote, read without YAML: 10,000 files in well under a second. Anything else is left to YAML."""

import re
from datetime import datetime
from typing import Any

from git_lerim.memories.clean import clean_body, line, sort_anchors, sort_sources
from git_lerim.memories.handoff import check
from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive, Source, Status

_TEXT = r'"((?:[^"\\\n]|\\["\\])+)"'
_WORD = r'"([!#-\[\]-~]+)"'  # visible ASCII without quotes and backslashes: nothing to clean, nothing to unescape
_PATH = r'"([ !#-\[\]-~]+)"'
_HEX = r'"([0-9a-f]{4,64})"'
_TIME = r'"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)"'
_DAY = r'"([0-9]{4}-[0-9]{2}-[0-9]{2})"'
_LIST = r'\[([!#-\[\]-~" ]*)\]'
_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_PAIR = rf"\[{_NUMBER}, {_NUMBER}\]"
_ROWS = r"((?: \[\]|(?:\n  - \{[^\n]*\})+))"

_HEAD = re.compile(
    rf'id: "([a-z2-7]{{13}})"\nprimitive: "([a-z]+)"\nkind: (?:null|"([a-z]+)")\ntitle: {_TEXT}\nstatus: "([a-z]+)"\n'
    rf"created: {_TIME}\nupdated: {_TIME}\nlast_accessed: (?:null|{_DAY})\nconfidence: (0\.[0-9]{{2}}|1\.00)\n"
    rf"protected: (true|false)\nsuspect: (?:null|{_TEXT})\ntags: {_LIST}\nsources:{_ROWS}\nanchors:{_ROWS}\n"
    rf"supersedes: {_LIST}\nmerged_from: {_LIST}\nrelated: {_LIST}\n(automatic: [^\0]*)?"
)
_HANDOFF = re.compile(
    rf"automatic: (true|false)\nbranch: (?:null|{_WORD})\nclaimed_by: (?:null|\{{at: {_TIME}, who: {_TEXT}, "
    rf"agent: (?:null|{_WORD}), session: (?:null|{_WORD})\}})\n"
    rf"folder: \"([ !#-\[\]-~]*)\"\nhead: (?:null|{_HEX})\nto: (?:null|{_WORD})\n"
)
_SOURCE = re.compile(
    rf"\{{agent: {_WORD}, session: {_WORD}, part: (?:null|{_WORD}), records: \[((?:{_PAIR}(?:, {_PAIR})*)?)\], "
    rf"at: (?:null|{_TIME}), commit: (?:null|{_HEX})\}}"
)
_ANCHOR = re.compile(
    rf"\{{path: {_PATH}, lines: (?:null|({_PAIR})), symbol: (?:null|{_PATH}), blob: (?:null|{_HEX}), commit: (?:null|{_HEX})\}}"
)
_DIGITS = re.compile(_NUMBER)
_PRIMITIVES = {str(member): member for member in Primitive}
_KINDS: dict[str | None, Kind | None] = {None: None} | {str(member): member for member in Kind}
_STATUSES = {str(member): member for member in Status}


class _NotOurs(ValueError):
    """The text is not what render writes."""


def read_canonical(head: str, body: str) -> Memory | None:
    """Return the memory, in normal form; None where the front matter is not of the form that render writes."""
    if not (found := _HEAD.fullmatch(head)):
        return None
    (ident, primitive, kind, title, status, created, updated, accessed, confidence, protected, suspect, tags, sources, anchors,
     *links, handoff) = found.groups()  # fmt: skip
    try:
        return Memory(
            id=ident,
            primitive=_PRIMITIVES[primitive],
            kind=_KINDS[kind],
            title=_text(title),
            body=clean_body(body),
            status=_STATUSES[status],
            created=datetime.fromisoformat(created),
            updated=datetime.fromisoformat(updated),
            last_accessed=accessed and datetime.fromisoformat(accessed).date().isoformat(),
            confidence=float(confidence),
            protected=protected == "true",
            suspect=_text(suspect) or None if suspect else None,
            tags=_items(tags),
            sources=sort_sources([_source(row) for row in sources.split("\n  - ")[1:]]),
            anchors=sort_anchors([_anchor(row) for row in anchors.split("\n  - ")[1:]]),
            supersedes=_items(links[0]),
            merged_from=_items(links[1]),
            related=_items(links[2]),
            unknown=_details(primitive, handoff) if handoff else {},
        )
    except (ValueError, KeyError):  # a date or a name that does not exist: YAML's way has the sentence for it
        return None


def _details(primitive: str, shown: str) -> dict[str, Any]:
    """Return what the file of a handoff holds beyond that of a memory."""
    if not (found := _HANDOFF.fullmatch(shown)) or primitive != Primitive.HANDOFF or "\\" in shown:
        raise _NotOurs
    automatic, branch, at, who, agent, session, folder, head, to = found.groups()
    claim = {"at": at, "who": who, "agent": agent, "session": session} if at else None
    values = {"automatic": automatic == "true", "branch": branch, "claimed_by": claim, "folder": folder, "head": head, "to": to}
    check(values)
    return values


def _text(shown: str) -> str:
    return line(re.sub(r"\\(.)", r"\1", shown) if "\\" in shown else shown)


def _items(shown: str) -> tuple[str, ...]:
    if not shown:
        return ()
    items = shown[1:-1].split('", "')
    if any('"' in item or not item or " " in item for item in items) or shown[0] != '"' or shown[-1] != '"':
        raise _NotOurs
    return tuple(sorted(set(items))) if len(items) > 1 else (items[0],)


def _numbers(shown: str) -> list[int]:
    return [int(number) for number in _DIGITS.findall(shown)]


def _source(row: str) -> Source:
    if not (found := _SOURCE.fullmatch(row)):
        raise _NotOurs
    agent, session, part, records, at, commit = found.groups()
    numbers = _numbers(records)
    pairs = sorted(set(zip(numbers[::2], numbers[1::2], strict=True))) if numbers else ()
    return Source(
        agent=agent,
        session=session,
        part=part,
        records=tuple(pairs),
        at=datetime.fromisoformat(at) if at else None,
        commit=commit,
    )


def _anchor(row: str) -> Anchor:
    if not (found := _ANCHOR.fullmatch(row)):
        raise _NotOurs
    path, lines, symbol, blob, commit = found.groups()
    first_last = _numbers(lines) if lines else None
    return Anchor(
        path=path,
        lines=(first_last[0], first_last[1]) if first_last else None,
        symbol=(line(symbol) or None) if symbol else None,
        blob=blob,
        commit=commit,
    )
