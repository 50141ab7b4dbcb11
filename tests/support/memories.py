"""Memories for tests: one by hand, and any by hypothesis."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from git_lerim.memories import naming
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.memory import (
    COLUMNS,
    Anchor,
    Edited,
    Kind,
    Memory,
    Origin,
    Primitive,
    Source,
    Status,
)
from git_lerim.memories.merging.compared import Compared, Relation

NOW = datetime.now(UTC).replace(microsecond=0)
AT = datetime(2026, 2, 20, 9, 30, 45, tzinfo=UTC)
ID = "k3v2qd2m7x4ab"


def memory(**changes: Any) -> Memory:
    """Return a memory that is right, but for the changes."""
    at = changes.pop("at", AT)
    given = {
        "id": ID,
        "primitive": Primitive.DECISION,
        "title": "Use SQLite for the session catalog",
        "body": "SQLite is there already. JSON files were rejected: two writers lost rows.",
        "created": at,
        "updated": at,
        "sources": (
            Source(
                agent="claude", session="5b0c1a2f", records=((41, 44),), at=at, commit="3f2a9c1" * 5
            ),
        ),
    }
    return Memory(**(given | changes))


def from_session(name: str, days: float, **changes: Any) -> Memory:
    """Return a memory that a session of its own gave, so many days before `NOW`."""
    at = NOW - timedelta(days=days)
    source = Source(agent="claude", session=f"session-{name}", records=((3, 4),), at=at)
    id_ = naming.memory_id("claude", name, "decision", 1)
    return memory(**({"id": id_, "at": at, "sources": (source,)} | changes))


def later(days: float = 0, **parts: float) -> datetime:
    """Return a moment after the one of `memory()`."""
    return AT + timedelta(days=days, **parts)


def edited(days: float = 1, by: str = "Ada <ada@example.org>") -> Edited:
    """Return the mark of a person who edited so many days after `memory()`."""
    return Edited(by=by, at=later(days))


def by_person(old: Memory, new: Memory, by: str = "Ada <ada@example.org>") -> Memory:
    """Return a change of a memory with the mark of the person who made it, if it is one of the
    text.
    """
    said = (new.title, new.body, new.kind) != (old.title, old.body, old.kind)
    return new.having(edited=Edited(by=by, at=new.updated)) if said else new


NASTY = st.sampled_from([
    '"', "'", "#", ": ", "R&D", "*", "!", "&a", "- ", "---", "[", "]", "{", "}", ", ", "\\",
    "\u2028", "\u0085", "\u200b",
    "\x1b[2J", "null", "no", "yes", "12:30:45", "1e3", "é", "e\u0301", "\ufeff", "😀", "\t", "\n",
    " ", "<<<<<<<", "%", "@", "`",
    "|", ">", "?", "\ud800",
])  # fmt: skip
TEXT = st.lists(NASTY | st.text(max_size=3), max_size=12).map("".join)
LINE = TEXT.map(lambda text: f"x{text}"[:100])
# hypothesis adds the zone
MOMENT = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
HEX = st.text("0123456789abcdef", min_size=4, max_size=40)
IDS = st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=13, max_size=13)
SMALL = st.integers(0, 10**9 - 1)
PAIR = st.tuples(SMALL, SMALL)
SOURCES = st.builds(
    Source,
    agent=st.sampled_from(["claude", "codex"]) | LINE,
    session=st.uuids().map(str) | LINE,
    part=st.none() | LINE,
    records=st.lists(PAIR, max_size=3).map(tuple),
    at=st.none() | MOMENT,
    commit=st.none() | HEX,
    branch=st.none() | st.sampled_from(["main", "fix/größe"]) | LINE,
    patch=st.none() | HEX,
)
EDITED = st.builds(Edited, by=LINE, at=MOMENT)
FEEDBACK = st.builds(
    Feedback,
    author=st.sampled_from(["Ada <ada@example.org>", "Bob"]) | LINE,
    by=st.sampled_from(Voice),
    verdict=st.sampled_from(["used", "helpful", "wrong", "stale", "confirmed", "new-word"]),
    day=st.dates().map(str),
    count=st.integers(1, 10**9 - 1),
)
ANCHORS = st.builds(
    Anchor,
    path=LINE,
    lines=st.none() | PAIR,
    symbol=st.none() | LINE,
    blob=st.none() | HEX,
    commit=st.none() | HEX,
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.floats(-1e9, 1e9) | TEXT
UNKNOWN = st.dictionaries(
    st.sampled_from(["claims", "x y", "null", "a-b", "1"]),
    st.recursive(
        SCALARS,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
        ),
        max_leaves=6,
    ),
    max_size=3,
)


COMPARED = st.builds(
    Compared,
    other=st.sampled_from(["k3qazb5mrw2fg", "k3qazb5mrw2fh"]),
    verdict=st.sampled_from(Relation),
)


FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": IDS,
    "primitive": st.sampled_from(Primitive),
    "kind": st.none() | st.sampled_from(Kind),
    "title": LINE,
    "body": TEXT,
    "status": st.sampled_from(Status),
    "created": MOMENT,
    "updated": MOMENT,
    "last_accessed": st.none() | st.dates().map(str),
    "confidence": st.floats(0, 1),
    "worth": st.none() | st.floats(0, 1),
    "origin": st.sampled_from(Origin),
    "edited": st.none() | EDITED,
    "protected": st.booleans(),
    "suspect": st.none() | TEXT,
    "tags": st.lists(LINE, max_size=3).map(tuple),
    "sources": st.lists(SOURCES, max_size=3).map(tuple),
    "anchors": st.lists(ANCHORS, max_size=3).map(tuple),
    "supersedes": st.lists(IDS, max_size=2).map(tuple),
    "merged_from": st.lists(IDS, max_size=2).map(tuple),
    "related": st.lists(IDS, max_size=2).map(tuple),
    "compared": st.lists(COMPARED, max_size=3).map(tuple),
    "feedback": st.lists(FEEDBACK, max_size=3).map(tuple),
    "unknown": st.just({}) | UNKNOWN,
}


def memories() -> st.SearchStrategy[Memory]:
    """Return any memory that can be written."""
    assert FIELDS.keys() == {each.name for each in COLUMNS} | {"unknown"}
    return st.builds(Memory, **FIELDS)
