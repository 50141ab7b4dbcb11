"""Turn statements found in files into memories."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from git_lerim.actions.authorship import by_agent
from git_lerim.actions.code import anchors
from git_lerim.bulk import halved
from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files.base import Draft
from git_lerim.extraction.from_files.gather import Gathered
from git_lerim.extraction.supersession.force import IMPORTED
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.history.filedates import last_commits
from git_lerim.memories import naming
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.checks.prompt_injection import suspicion
from git_lerim.memories.format import frontmatter
from git_lerim.memories.format.body import body_itself
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import BODY_LIMIT, Anchor, Memory, Origin, Primitive, Source, Status
from git_lerim.memories.quotes import false_claim
from git_lerim.storage.trust.judge import Judge
from git_lerim.tokens import clip
from git_lerim.workspace import Workspace

_ANCHORS = 5
_LOOKED_AT = 40  # file names per text
_NAMED = re.compile(r"(?<![\w/.-])(?:\./)?((?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?![\w/])")
_OLDEST = 1970
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileDate:
    at: datetime
    commit: str | None


def with_ids(found: Sequence[Draft]) -> dict[str, Draft]:
    """Map the id that each statement's memory will have to the statement."""
    ordinals: dict[tuple[str, str], int] = {}
    ids = {}
    for one in found:
        key = (one.origin, one.primitive)
        ordinals[key] = ordinals.get(key, 0) + 1
        ids[naming.memory_id(IMPORTED, one.origin, one.primitive, ordinals[key])] = one
    return ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A memory that passed the checks, its file content, and the number of its redactions."""

    memory: Memory
    data: bytes
    redactions: int


def memories_of(
    ws: Workspace, root: Path, made: Gathered, ids: dict[str, Draft]
) -> tuple[list[Memory], list[Checked]]:
    """Return the memories made from statements, and every memory to import with its file.

    Only the second list contains memories that were read from exports. Files with an invalid memory
    are noted in `made.reading`.
    """
    reading = made.reading
    by_origin = {one.origin: ident for ident, one in reversed(ids.items())}
    dates = last_commits(root) if reading.found else {}
    made_of = [
        _memory(ws, ident, one, by_origin, _file_date(ws, root, made.read[one.file], dates))
        for ident, one in ids.items()
    ]
    files = [one.file for one in ids.values()] + [path for path, _ in reading.whole]
    given = [*made_of, *(ours for _, ours in reading.whole)]
    checked, memories, whole = [], [], []
    results = halved(
        lambda: partial(_validated, ws, Judge(ws.place, open_objects(ws.place))), given
    )
    for n, (file, result) in enumerate(zip(files, results, strict=True)):
        if isinstance(result, str):
            reading.leave(file, result, failed=True)
            continue
        checked.append(result)
        if n < len(made_of):
            memories.append(result.memory)
        else:
            whole.append((file, result.memory))
    reading.whole[:] = whole
    return memories, checked


def _validated(ws: Workspace, judge: Judge, memory: Memory) -> Checked | str:
    """Return the checked memory, or why it is invalid."""
    try:
        return _through_gates(ws, judge, memory)
    except BadMemory as error:
        return str(error)


def _through_gates(ws: Workspace, judge: Judge, memory: Memory) -> Checked:
    text = f"{memory.title}\n{memory.body}"
    reason = suspicion(text, runs=judge.is_own) if memory.status is Status.ACTIVE else None
    # a file's words are not the user's; only a person can bring back an export of their own
    is_a_files = by_agent(ws) or memory.origin is Origin.IMPORT
    if is_a_files and memory.status is Status.ACTIVE:
        reason = reason or judge.doubts(memory) or false_claim(text)
    if reason:
        memory = replace(memory, status=Status.SUSPECT, suspect=reason)
    memory, blanked = gated(memory, ws.redactor)
    if not body_itself(memory.body).strip():
        raise BadMemory("is empty")
    # a redaction marker can be longer than the secret
    if len(body_itself(memory.body)) > BODY_LIMIT:
        memory = clean(replace(memory, body=clip(memory.body, BODY_LIMIT)))
    return Checked(memory=memory, data=frontmatter.render_clean(memory), redactions=blanked)


def _memory(
    ws: Workspace, ident: str, one: Draft, by_origin: Mapping[str, str], file: _FileDate
) -> Memory:
    created = (
        one.created
        if one.created and one.created.year >= _OLDEST and one.created <= ws.now + _CLOCKS_DIFFER
        else file.at
    )
    at = (
        max(created, one.changed)
        if one.changed and one.changed <= ws.now + _CLOCKS_DIFFER
        else created
    )
    own = Source(agent=IMPORTED, session=one.file, records=one.records, at=at, commit=file.commit)
    return Memory(
        id=ident,
        primitive=one.primitive,
        kind=one.kind,
        title=one.title,
        body=one.body,
        status=one.status,
        created=created,
        updated=created,
        confidence=one.confidence,
        origin=Origin.AGENT if by_agent(ws) else Origin.IMPORT,  # an agent may have written it
        tags=one.tags,
        sources=(own, *one.sources),
        anchors=_anchors(ws, one),
        supersedes=tuple(_id_of(origin, by_origin) for origin in one.supersedes),
        related=tuple(_id_of(origin, by_origin) for origin in one.related),
    )


def _id_of(origin: str, by_origin: Mapping[str, str]) -> str:
    """Return the id of the memory made from `origin`, whether or not this import read it."""
    return by_origin.get(origin) or naming.memory_id(IMPORTED, origin, Primitive.DECISION, 1)


def _file_date(
    ws: Workspace, root: Path, path: Path, dates: Mapping[str, tuple[datetime, str]]
) -> _FileDate:
    """Return the time of a file's last commit or, if it has none, its modification time."""
    committed = dates.get(path.as_posix())
    if committed is not None:
        return _FileDate(
            at=committed[0], commit=None if ws.personal else ws.code.exists(committed[1])
        )
    try:
        seconds = min(max(int((root / path).stat().st_mtime), 0), int(ws.now.timestamp()))
    except OSError:
        seconds = int(ws.now.timestamp())
    return _FileDate(at=datetime.fromtimestamp(seconds, UTC), commit=None)


def _anchors(ws: Workspace, one: Draft) -> tuple[Anchor, ...]:
    """Return anchors for the repository's files that a text mentions."""
    head = None if ws.personal else ws.code.head()
    if head is None:
        return ()
    named = dict.fromkeys(
        match[1].rstrip(".")
        for word in f"{one.title}\n{one.body}".split()
        if "." in word
        for match in _NAMED.finditer(word)
    )
    looked = [name for name in named if name != one.file][:_LOOKED_AT]
    files = dict(found for name in looked if (found := ws.code.file(name, head)))
    mentions = (
        Anchor(path=path, blob=blob, commit=head) for path, blob in list(files.items())[:_ANCHORS]
    )
    return anchors.find_anchors(ws.code, mentions, one.title, one.body)
