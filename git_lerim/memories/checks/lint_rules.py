"""The rules of `lint`, for each memory and for a whole store, except the one on secrets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from git_lerim.memories.checks.noise import noise
from git_lerim.memories.feedback import giver, unanswered
from git_lerim.memories.format.body import body_itself
from git_lerim.memories.memory import BODY_LIMIT, TITLE_LIMIT, Memory, Origin, Primitive, Status
from git_lerim.memories.naming import id_in, is_id, path_of, valid_path

_CLOCKS_DIFFER = timedelta(days=1)
_OUTSIDE = re.compile(r"/|[A-Za-z]:|(?:.*/)?\.\.(?:/|$)|(?:.*/)?\.git(?:/|$)|.*\\")


# rules about what a person has to decide, as opposed to defects
TO_DECIDE = frozenset({"contradiction", "disputed", "waiting"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem that `lint` has found in a memory's file."""

    path: str  # empty where the memory has no file yet
    id: str
    rule: str
    sentence: str


def check_memory(memory: Memory, path: str = "") -> list[Problem]:
    """Return the problems of a memory that make it unfit to be written to a file."""
    return [
        Problem(path=path, id=memory.id, rule=rule, sentence=sentence)
        for rule, sentence in _wrong(memory)
    ]


def check(items: Sequence[tuple[str, Memory]], now: datetime) -> list[Problem]:
    """Return the problems of a store's memories, sorted by path.

    Each item is a path with its memory.
    """
    known = {memory.id for _, memory in items}
    known.update(ident for _, memory in items for ident in memory.merged_from)
    paths: dict[str, str] = {}
    problems = []
    for path, memory in sorted(items, key=lambda item: item[0]):
        found = [
            *_wrong(memory),
            *_doubtful(memory, now),
            *_misplaced(path, memory),
            *_dangling(memory, known),
        ]
        if memory.id in paths:
            found.append(("twice", f"has the same id as {paths[memory.id]}"))
        paths.setdefault(memory.id, path)
        problems += [
            Problem(path=path, id=memory.id, rule=rule, sentence=sentence)
            for rule, sentence in found
        ]
    return problems


def _wrong(memory: Memory) -> Iterator[tuple[str, str]]:
    if not memory.title.strip():
        yield "title-empty", "has no title"
    if len(memory.title) > TITLE_LIMIT:
        yield (
            "title-long",
            f"has a title of {len(memory.title)} characters, more than {TITLE_LIMIT}",
        )
    if not memory.body.strip():
        yield "body-empty", "has no body"
    if (counted := len(body_itself(memory.body))) > BODY_LIMIT:
        yield "body-long", f"has a body of {counted} characters, more than {BODY_LIMIT}"
    if memory.primitive is Primitive.LEARNING and memory.kind is None:
        yield "kind", "is a learning without a kind"
    if memory.primitive is not Primitive.LEARNING and memory.kind is not None:
        yield "kind", f"is a {memory.primitive}, but has the kind of a learning"
    yield from _suspect(memory)
    if any(_OUTSIDE.match(anchor.path) for anchor in memory.anchors):
        yield "anchor", "has an anchor outside the repository"
    if any(first > last for source in memory.sources for first, last in source.records):
        yield "records", "cites a range of records that ends before it begins"


def _suspect(memory: Memory) -> Iterator[tuple[str, str]]:
    if memory.status is Status.SUSPECT and not memory.suspect:
        yield "suspect", "is marked as suspect without a reason"
    if memory.suspect and memory.status is Status.ACTIVE:
        yield "suspect", "has a reason to be suspect, but is active"


def _doubtful(memory: Memory, now: datetime) -> Iterator[tuple[str, str]]:
    kept = (
        memory.primitive in {Primitive.DECISION, Primitive.LEARNING}
        and memory.origin is not Origin.ANSWER
    )
    if kept and (reason := noise(memory.title)):
        yield "noise", f"has a title that {reason}"
    if max(memory.created, memory.updated) > now + _CLOCKS_DIFFER:
        yield "future", "has a time in the future"
    if memory.updated < memory.created:
        yield "times", "was updated before it was created"
    against = sorted({giver(row) for row in unanswered(memory.feedback)})
    if against and memory.status is Status.ACTIVE:
        yield "disputed", f"is reported as wrong by {', '.join(against)}"
    # A decision or learning without a source was written by hand: git knows its author.
    if not memory.sources and memory.primitive is Primitive.SUMMARY:
        yield "source", "names no session"


def _misplaced(path: str, memory: Memory) -> Iterator[tuple[str, str]]:
    if not valid_path(path):
        yield "path", "is not in a folder for memories"
        return
    if (named := id_in(path)) and named != memory.id:
        yield "id", f"has the ID {memory.id}, but {named} in its file name"
    folder, expected = path.removeprefix("archived/").split("/")[0], path_of(memory).split("/")[0]
    if folder != expected:
        yield "folder", f"is a {memory.primitive}, but is in {folder}/ instead of {expected}/"
    if path.startswith("archived/") != (memory.status is Status.ARCHIVED):
        yield (
            "archived",
            (
                "is in archived/, but is not archived"
                if path.startswith("archived/")
                else "is archived, but is not in archived/; to move it there: git lerim forget"
                f" {memory.id}"
            ),
        )


def _dangling(memory: Memory, known: set[str]) -> Iterator[tuple[str, str]]:
    for name, ids in (("supersedes", memory.supersedes), ("related", memory.related)):
        for ident in ids:
            if not is_id(ident):
                yield name, f"has an invalid ID in `{name}`"
            elif ident not in known or ident == memory.id:
                yield name, f"has {ident} in `{name}`, which is not the ID of another memory"
