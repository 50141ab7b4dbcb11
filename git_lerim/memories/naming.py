"""Names of memories: ids, and file paths in lower-case ASCII."""

import hashlib
import re
import shlex
from base64 import b32encode
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import AnyStr

from git_lerim.errors import UnknownMemory
from git_lerim.memories.memory import TITLE_LIMIT, Memory, Primitive, Source
from git_lerim.memories.slug import slug
from git_lerim.tokens import clip

ID_LENGTH = 13
_PREFIX_MINIMUM = 4
_LISTED = 5

_ID = r"[a-z2-7]{13}"
_WORDS = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_MONTH = r"[0-9]{4}-(?:0[1-9]|1[0-2])"
# Folders are fixed and every file begins with a day, so that no name is reserved on Windows; names
# are in lower case, so that no two differ by case alone.
_PATH = re.compile(
    rf"(?:archived/)?(?:(?:decisions|learnings)/{_MONTH}/[0-9]{{8}}-{_WORDS}-(?P<id>{_ID})"
    rf"|summaries/{_MONTH}/[0-9]{{8}}-[0-9]{{6}}-{_WORDS}"
    rf"|handoffs/[0-9]{{8}}-[0-9]{{6}}-(?P<handoff>{_ID}))\.md"
)
_PATH_LIMIT = 160
# the words before the id come from the title, and may look like an id
_LAST_ID = re.compile(rf"(?:\A|-)({_ID})(?:\.|\Z)")
_SUMMARY_TIME = re.compile(rf"(?:archived/)?summaries/{_MONTH}/[0-9]{{8}}-[0-9]{{6}}(?=-)")
_IS_ID = re.compile(_ID)
_FOLDERS = {
    Primitive.DECISION: "decisions",
    Primitive.LEARNING: "learnings",
    Primitive.SUMMARY: "summaries",
    Primitive.HANDOFF: "handoffs",
}


def memory_id(agent: str, origin: str, primitive: str, ordinal: int) -> str:
    """Derive a memory's id, which is the same in every clone for the same evidence.

    For a summary, `origin` is the id of its session.
    """
    fields = "\0".join((agent, origin, str(primitive), str(ordinal)))
    return (
        b32encode(hashlib.sha256(fields.encode("utf-8", "replace")).digest())
        .decode("ascii")
        .lower()[:ID_LENGTH]
    )


def is_id(text: str) -> bool:
    """Return whether a text is a full id."""
    return _IS_ID.fullmatch(text) is not None


def is_prefix(text: str) -> bool:
    """Return whether a text can be the beginning of an id, and is long enough to look one up."""
    return re.fullmatch(rf"[a-z2-7]{{{_PREFIX_MINIMUM},{ID_LENGTH}}}", text) is not None


def title_from(text: str) -> str:
    """Return a title for a memory that was given none: the first sentence of its text."""
    first = text.strip().split("\n", 1)[0].split(". ", 1)[0].rstrip(".")
    return clip(" ".join(first.split()), TITLE_LIMIT)


def short_session(session: str) -> str:
    """Return eight characters of a session's id, as a short name of the session.

    They are the first of a random UUID, or the last of an id that begins with a time.
    """
    plain = re.sub(r"[^a-z0-9]", "", session.lower())
    random_first = re.fullmatch(r"[0-9a-f]{12}[1-6][0-9a-f]{19}", plain)
    return (plain[:8] if random_first else plain[-8:]) or "session"


def short_source(source: Source) -> str:
    """Return a short name of a source for a result line: a session, a file or a commit."""
    if source.counts == "records":
        return f"{source.agent} {short_session(source.session)}"
    return source.session[:10] if source.session == source.commit else source.session


def path_of(memory: Memory, *, archived: bool = False) -> str:
    """Return the path of a new memory's file below the store's root."""
    day, time = memory.created.strftime("%Y%m%d"), memory.created.strftime("%H%M%S")
    month = f"{day[:4]}-{day[4:6]}"
    if memory.primitive is Primitive.HANDOFF:
        name = f"{day}-{time}-{memory.id}"
    elif memory.primitive is Primitive.SUMMARY:
        source = min(memory.sources, default=None, key=lambda s: (s.agent, s.session))
        told = f"{slug(source.agent)}-{short_session(source.session)}" if source else memory.id
        name = f"{month}/{day}-{time}-{told}"
    else:
        name = f"{month}/{day}-{slug(memory.title)}-{memory.id}"
    return f"{'archived/' if archived else ''}{_FOLDERS[memory.primitive]}/{name}.md"


def valid_path(path: str) -> bool:
    """Return whether a path has the form that `path_of` gives to paths."""
    return _parts(path) is not None


def id_in(path: str) -> str | None:
    """Return the id in the path of a memory's file, or None for the path of a summary."""
    found = _parts(path)
    return (found["id"] or found["handoff"]) if found else None


def last_id_in(path: str) -> str | None:
    """Return the id that a file's name ends with, whatever the folder and the extension."""
    found = _LAST_ID.search(path.rpartition("/")[2])
    return found[1] if found else None


def summary_time_in(path: str) -> str | None:
    """Return a summary's path up to its time, as `summaries/2026-02/20260203-090000`, or None."""
    found = _SUMMARY_TIME.match(path)
    return found[0] if found else None


@lru_cache(maxsize=16)  # several callers ask about each file
def _parts(path: str) -> re.Match[str] | None:
    return _PATH.fullmatch(path) if len(path) <= _PATH_LIMIT else None


def find_id(ids: Iterable[str], prefix: str, at: str | None = None) -> str:
    """Return the id that begins with a prefix. Raises UnknownMemory unless there is exactly one.

    `at` is the revision or date at which the ids were listed; only the error message uses it.
    """
    wanted = prefix.strip().lower()
    found = sorted(i for i in ids if i.startswith(wanted)) if len(wanted) >= _PREFIX_MINIMUM else []
    if len(found) == 1 or wanted in found:
        return wanted if wanted in found else found[0]
    shown = ascii(prefix[: 2 * ID_LENGTH])
    if len(wanted) < _PREFIX_MINIMUM:
        raise UnknownMemory(
            f"{shown} is too short for a memory ID",
            hint=f"give at least {_PREFIX_MINIMUM} characters",
        )
    if not found:
        when, option = (f" at {at}", f" --at {shlex.quote(at)}") if at else ("", "")
        raise UnknownMemory(
            f"no memory ID starts with {shown}{when}",
            hint=f"to see all IDs: git lerim list --all{option}",
        )
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    listed = ", ".join(found[:_LISTED]) + more
    raise UnknownMemory(
        f"{len(found)} memory IDs start with {shown}: {listed}",
        hint="give more characters",
    )


def prefix_matcher(ids: Collection[AnyStr]) -> Callable[[AnyStr], bool]:
    """Return a function that tells whether an id equals or starts with one of `ids`."""
    known = frozenset(ids)
    short = tuple(each for each in known if len(each) < ID_LENGTH)
    return (lambda id_: id_ in known or id_.startswith(short)) if short else known.__contains__
