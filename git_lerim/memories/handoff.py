"""Handoffs: their sections, where and for whom they were written, and who claimed them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.git.commits.author_names import ident
from git_lerim.memories.clean_text import line
from git_lerim.memories.memory import BODY_LIMIT, Memory, Primitive
from git_lerim.tokens import clip

QUESTIONS, STEPS, FILES = "Open questions", "Next steps", "Files touched"
ITEMS = 30  # of one section
ITEM_LIMIT = 400  # characters
KEYS = (
    "automatic",
    "branch",
    "claimed_by",
    "folder",
    "head",
    "released",
    "to",
)  # in the file, in this order
HELD = ("claimed_by", "released")  # together they tell who has claimed the handoff
_PLACE = frozenset(KEYS) - frozenset(HELD)

_NONE = "None."
_HEADING = re.compile(rf"^## (?:{QUESTIONS}|{STEPS}|{FILES})[ \t]*$", re.MULTILINE)
_MORE = re.compile(r"and [0-9]+ more")
_BRANCH = re.compile(r"(?![-/])(?!.*\.\.)[^\x00-\x20~^:?*\[\\\x7f]{1,200}(?<![/.])")
_FOLDER = re.compile(r"(?![/\\])(?!(?:.*/)?\.\.(?:/|$))[^\x00-\x1f\x7f]{0,300}")
_AGENT = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")
_SESSION = re.compile(r"[^\s<>]{1,200}")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Who claimed a handoff and when; if two clones claim it, the claim that sorts first wins."""

    at: str  # a time, as in a memory's file
    who: str  # a git identity, `Name <mail>`
    agent: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Where and for whom a handoff was written, and who claimed it."""

    automatic: bool = False  # written by rules at a session's end, not by a person or an agent
    branch: str | None = None
    claimed_by: Claim | None = None
    folder: str = ""  # where the work was, below the repository's root
    head: str | None = None
    released: str | None = None  # when it was last released: earlier claims no longer count
    to: str | None = None  # the agent it is meant for


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """The content of a handoff."""

    text: str = ""
    questions: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def compose(note: Note) -> str:
    """Return the body of a handoff with this content.

    If it would be too long, files are left out first, and then the text's end is cut off.
    """
    sections = [
        _section(heading, items)
        for heading, items in (
            (QUESTIONS, note.questions),
            (STEPS, note.steps),
            (FILES, note.files),
        )
    ]
    said = _HEADING.sub(
        lambda found: f" {found[0]}", note.text.strip()
    )  # escape our headings in the text
    tail = "\n\n".join(sections)
    if len(tail) > BODY_LIMIT * 3 // 4:
        tail = "\n\n".join(
            [*sections[:2], _section(FILES, note.files[:3], left=len(note.files) - 3)]
        )
    text = clip(said, max(BODY_LIMIT - len(tail) - 2, 1))
    return f"{text}\n\n{tail}" if said else clip(tail, BODY_LIMIT)


def _section(heading: str, items: Sequence[str], left: int = 0) -> str:
    shown = [f"- {clip(said, ITEM_LIMIT)}" for item in items[:ITEMS] if (said := line(item))]
    left = max(left, len(items) - ITEMS)
    return f"## {heading}\n\n" + "\n".join(
        [*shown, *([f"- and {left} more"] if left > 0 else [])] or [_NONE]
    )


def read(body: str) -> Note:
    """Return the content of a handoff's body, which a person may have written."""
    parts = _HEADING.split(body)
    found: dict[str, tuple[str, ...]] = {}
    for heading, part in zip(_HEADING.findall(body), parts[1:], strict=True):
        rows = [
            row.strip()[2:].strip()
            for row in part.splitlines()
            if row.lstrip().startswith(("- ", "* "))
        ]
        found[heading[3:].strip()] = tuple(row for row in rows if row and not _MORE.fullmatch(row))
    return Note(
        text=parts[0].strip(),
        questions=found.get(QUESTIONS, ()),
        steps=found.get(STEPS, ()),
        files=found.get(FILES, ()),
    )


def details(memory: Memory) -> Details:
    """Return where and for whom a handoff was written, and who claimed it."""
    values = {key: memory.unknown[key] for key in KEYS if memory.unknown.get(key) is not None}
    claim = values.pop("claimed_by", None)
    return Details(**values, claimed_by=_claim(**claim) if claim else None)


def _claim(*, at: str, who: str, agent: str | None = None, session: str | None = None) -> Claim:
    """Return a claim without its invalid parts, because anybody may have pushed it."""
    return Claim(
        at=at,
        who=ident(who),
        agent=agent if agent and _AGENT.fullmatch(agent) else None,
        session=session if session and _SESSION.fullmatch(session) else None,
    )


def with_details(memory: Memory, told: Details) -> Memory:
    """Return a copy of a handoff with these details."""
    others = {key: value for key, value in memory.unknown.items() if key not in KEYS}
    known = {
        key: value for key, value in asdict(told).items() if key != "released" or value is not None
    }  # few handoffs are ever released
    return memory.having(unknown=known | others)


def unclaimed(memory: Memory) -> Memory:
    """Return a copy of a handoff as if nobody had ever claimed it.

    Return other memories unchanged.
    """
    if memory.primitive is not Primitive.HANDOFF:
        return memory
    return with_details(memory, replace(details(memory), claimed_by=None, released=None))


def with_place_of(memory: Memory, other: Memory) -> Memory:
    """Return a copy of a handoff with another version's details, except who claimed it."""
    kept = {key: value for key, value in memory.unknown.items() if key not in _PLACE}
    return memory.having(unknown=kept | place_of(other))


def place_of(memory: Memory) -> dict[str, Any]:
    """Return a handoff's details, except who claimed it: where and for whom it is."""
    return {key: value for key, value in memory.unknown.items() if key in _PLACE}


def with_claim_of(memory: Memory, other: Memory) -> Memory:
    """Return a copy of a handoff with another version's claim; return other memories unchanged."""
    if memory.primitive is not Primitive.HANDOFF or details(memory) == details(other):
        return memory
    return with_details(memory, replace(details(memory), claimed_by=details(other).claimed_by))


def claimer(who: str) -> str:
    """Return the name to put into a claim, from the claimer's git identity."""
    return ident(line(who)[:200])


def settled(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claim that wins between two versions of a handoff.

    Claims from before the handoff was last released do not count. Of the others, the earliest wins
    or, at the same time, the first by name. Any claim wins over none.
    """
    sides = [(str(side.get("released") or ""), side) for side in (one, other)]
    last = max(released for released, _ in sides)
    claims = [
        side["claimed_by"]
        for released, side in sides
        if released == last and isinstance(side.get("claimed_by"), Mapping)
    ]
    first = min(claims, key=_claim_order, default=None)
    found = {"claimed_by": first, "released": last or None}
    return {key: value for key, value in found.items() if key in one or key in other}


def _claim_order(claim: Mapping[str, Any]) -> tuple[str, ...]:
    told = (str(claim.get(key) or "") for key in ("at", "who", "agent", "session"))
    return (*told, *sorted(claim))  # an empty key may be missing: compare the keys, too


def check(values: Mapping[str, Any]) -> None:
    """Raise BadMemory if a handoff's fields are invalid, since anybody may have pushed them."""
    for key, form in (("branch", _BRANCH), ("folder", _FOLDER), ("head", _COMMIT), ("to", _AGENT)):
        value = values.get(key)
        if value is not None and not (isinstance(value, str) and form.fullmatch(value)):
            raise BadMemory(f"invalid `{key}` in a handoff")
    if not isinstance(values.get("automatic") or False, bool):
        raise BadMemory("`automatic` must be true or false")
    released = values.get("released")
    if released is not None and not (isinstance(released, str) and _is_time(released)):
        raise BadMemory("`released` is not a valid time")
    claim = values.get("claimed_by")
    if claim is not None and not _is_claim(claim):
        raise BadMemory("`claimed_by` must be null, or a mapping of who, at, agent and session")


def _is_claim(claim: Any) -> bool:
    if not isinstance(claim, Mapping) or not {"at", "who"} <= set(claim) <= {
        "at",
        "who",
        "agent",
        "session",
    }:
        return False
    texts = [value for key, value in claim.items() if value is not None or key in {"at", "who"}]
    return all(
        isinstance(text, str) and 0 < len(text) <= 200 and text == line(text) for text in texts
    ) and _is_time(claim["at"])


def _is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False
