"""Select memories and format them for lists and JSON."""

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from operator import attrgetter
from typing import Any

from git_lerim.actions.code import freshness
from git_lerim.actions.judged import WITHHELD, sharer
from git_lerim.agents import roster
from git_lerim.errors import UnknownMemory
from git_lerim.memories import confidence, naming
from git_lerim.memories.authors import agents_note
from git_lerim.memories.feedback import FEEDBACK, doubt, doubts
from git_lerim.memories.handoff import details
from git_lerim.memories.memory import COLUMNS, Kind, Memory, Primitive, Status
from git_lerim.memories.slug import path_without_words
from git_lerim.recall.fast import list_cache
from git_lerim.recall.local import access_log
from git_lerim.recall.local.verdicts import UNKNOWN, CachedVerdict, marked
from git_lerim.recall.search.rows import code_of
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.branch.lazy_snapshot import with_prefix
from git_lerim.storage.history.past import Held, held_since
from git_lerim.storage.review.dropped import DroppedStore
from git_lerim.storage.trust.provenance.authors import author_mail
from git_lerim.tokens import local_times, printable
from git_lerim.workspace import Workspace

_FORMS = [(each.name, each.form) for each in COLUMNS]
_VALUES = attrgetter(*(each.name for each in COLUMNS))


def list_memories(snapshot: Snapshot, *, everything: bool = False) -> list[Stored]:
    """Return the active memories, newest first; with `everything`, those of any status."""
    chosen = [
        item
        for item in snapshot.memories.values()
        if everything or item.memory.status is Status.ACTIVE
    ]
    chosen += snapshot.withdrawn.values() if everything else ()
    return sorted(chosen, key=lambda item: (item.memory.created, item.memory.id), reverse=True)


def dropped_memories(ws: Workspace) -> Snapshot:
    """Return the memories that the user dropped in triage."""
    return DroppedStore(ws.place).snapshot()


def redact_memories(ws: Workspace, items: Iterable[Stored]) -> list[Stored]:
    """Return the memories with secrets redacted."""
    return list(ws.store.gate(items))


def file_of(ws: Workspace, item: Stored) -> bytes:
    """Return a memory's file as stored, with secrets redacted."""
    data = ws.store.file(item)
    text, found = ws.redactor.redact(data.decode("utf-8", "replace"))
    return text.encode() if found else data


def state_marks(ws: Workspace, items: Iterable[Stored]) -> dict[str, str]:
    """Return marks to print with memories, such as `stale since 1a2b3c4, disputed`, by blob.

    Only memories that are stale or that people doubt, and those that a model found still true, have
    a mark.
    """
    items = list(items)
    active = [item for item in items if item.memory.status is Status.ACTIVE]
    verdicts = freshness.of_stored(ws, active)
    marks = {
        item.blob: marked(verdicts.get(item.blob, UNKNOWN).mark, doubt(item.feedback))
        for item in items
    }
    return {blob: mark for blob, mark in marks.items() if mark}


def standing_of(ws: Workspace, item: Stored) -> CachedVerdict:
    """Return the verdict on whether a memory is stale: fresh, stale or unknown."""
    return freshness.of_stored(ws, [item]).get(item.blob, UNKNOWN)


def cache_plain_list(
    ws: Workspace, snapshot: Snapshot, items: Sequence[Stored], marks: Mapping[str, str]
) -> None:
    """Cache the rows of `list` without options, so that the fast path can print them."""
    if snapshot.commit is not None and not ws.personal and not ws.in_tree and items:
        rows = [
            (
                m.id,
                f"{m.created:%Y-%m-%d}",
                kind_column(m),
                printable(sharer(item) + m.title),
                *([f"({marks[item.blob]})"] if item.blob in marks else ()),
                *(f"({note})" for note in agents_note(m.origin)),
            )
            for m, item in ((item.memory, item) for item in items)
        ]
        store = ws.settings["branch"], ws.store.source
        list_cache.keep(
            (str(ws.place.common_dir), str(ws.place.git_dir)), store, ws.store.seen, rows
        )


def kind_column(memory: Memory) -> str:
    """Return a memory's kind, padded to a column."""
    return f"{memory.kind or memory.primitive:<10}"


def note_mark(memory: Memory) -> str:
    """Return the mark of an agent's note, to print after its title, or an empty string."""
    return "".join(f"  ({note})" for note in agents_note(memory.origin))


def filter_memories(
    items: Iterable[Stored],
    *,
    primitives: Collection[Primitive],
    kind: Kind | None,
    tag: str | None,
    agent: str | None,
) -> list[Stored]:
    """Return the items that match all given criteria; without `primitives`, any type matches."""
    return [
        item
        for item in items
        if (not primitives or item.memory.primitive in primitives)
        and (kind is None or item.memory.kind is kind)
        and (tag is None or tag in item.memory.tags)
        and (agent is None or any(source.agent == agent for source in item.memory.sources))
    ]


def check_agent(ws: Workspace, name: str | None, at: str | None = None) -> None:
    """Raise UsageError for an agent that this version does not know and no memory cites."""
    if name is not None and name not in roster.AGENTS:
        store = ws.store.snapshot(at)
        items = (*store.memories.values(), *store.summaries.values(), *store.handoffs.values())
        roster.checked(
            name, sorted({source.agent for item in items for source in item.memory.sources})
        )


def too_early(ws: Workspace, at: str | None) -> str:
    """Return a message if there was no memory yet at a revision or date, else ""."""
    if at is None:
        return ""
    then = ws.store.snapshot(at)
    if then.memories or then.summaries or then.handoffs or then.quarantined or then.purged:
        return ""
    # the commit that creates the branch has the time 0
    times = (commit.at for commit in ws.store.history() if commit.at.timestamp())
    first = min(times, default=None)
    begins = f"the memory begins {local_times(iso(first))}" if first else "there is none yet"
    return f"no memory existed at {at}; {begins}"


def find_memory(snapshot: Snapshot, prefix: str, at: str | None = None) -> Stored:
    """Return the memory, summary or handoff whose id begins with `prefix`. Raises UnknownMemory.

    `at` is the revision or date of the snapshot, for messages.
    """
    wanted = prefix.strip().lower()
    named = with_prefix(snapshot, wanted) if naming.is_prefix(wanted) else {}
    if naming.is_prefix(wanted):  # a handoff or summary can have taken the id of a deleted memory
        gone = {
            id_: item
            for id_, item in snapshot.withdrawn.items()
            if id_.startswith(wanted) and not snapshot.standing(item)
        }
        named = {**named, **gone}
    if not named and naming.is_prefix(wanted):
        for purged in snapshot.purged:
            if purged.startswith(wanted):
                raise UnknownMemory(
                    f"{purged} was purged",
                    hint="it was deleted from the whole history; git lerim log shows when",
                )
        for file in snapshot.quarantined:
            if (id_ := naming.id_in(file.path)) and id_.startswith(wanted):
                hint = "git lerim lint names its file"
                raise UnknownMemory(f"{id_} cannot be used: {file.reason}", hint=hint)
    agent, _, session = prefix.partition("/")
    if agent in roster.AGENTS and session:
        raise UnknownMemory(
            f"{prefix!a} is a session, not a memory",
            hint=f"git lerim log --session {shlex.quote(session)} shows its memories; git lerim"
            f" sessions show {shlex.quote(prefix)} shows the session",
        )
    return named[naming.find_id(named, prefix, at)]


def waiting_ids(ws: Workspace, items: Iterable[Stored]) -> set[str]:
    """Return the ids of the items that wait for review."""
    pending = open_store.pending(ws)
    return {item.memory.id for item in items if pending and pending.get(item.path) == item.blob}


def ignored_feedback(ws: Workspace, item: Stored) -> list[str]:
    """Return lines about ignored feedback, which others wrote into a memory's file."""
    ignored = tuple(row for row in item.memory.feedback if row not in item.feedback)
    if not ignored:
        return []
    author, mine = item.author, author_mail(ws.place)
    if not author:  # the words are the user's
        others = (c.author for c in ws.store.history(path=item.path) if c.mail != mine)
        author = next(others, "somebody else")
    return [f"{line}; {author} wrote this" for line in FEEDBACK.lines(ignored)]


def log_shown(ws: Workspace, items: Iterable[Stored]) -> None:
    """Log that memories were shown; the next command that writes counts these uses."""
    kept = {Primitive.DECISION, Primitive.LEARNING}
    access_log.log_shown(
        ws.folder,
        [item.memory.id for item in items if item.memory.primitive in kept],
        ws.now.timestamp(),
    )


def as_json(ws: Workspace, items: Iterable[Stored]) -> list[dict[str, Any]]:
    """Return memories in the format of `list --json`."""
    items = list(items)
    held, pending, standings = (
        ws.store.first_held(),
        open_store.pending(ws),
        freshness.of_stored(ws, items),
    )
    return [
        _json(ws, item, held_since(held, item), standings.get(item.blob, UNKNOWN))
        | {"pending": pending.get(item.path) == item.blob}
        for item in items
    ]


def author_of(ws: Workspace, item: Stored) -> str | None:
    """Return the author of the commit that added a memory, or None if it is not committed.

    If the user restored their own version after others changed the words, the user is the author.
    """
    history = list(ws.store.history(path=item.path.removeprefix("archived/")))
    adding = [commit for commit in history if any(file.status == "A" for file in commit.files)]
    mine = author_mail(ws.place)
    restoring = [
        commit
        for commit in history
        if not item.author and commit.mail == mine and ("Lerim-Op", "restore") in commit.trailers
    ]
    if not adding:
        return None
    by = (restoring or adding)[-1]
    if not item.author and by.mail != mine and (held := held_since(ws.store.first_held(), item)):
        return held.author  # somebody else has only renamed the file
    return by.who


def _json(
    ws: Workspace, item: Stored, held: Held | None, standing: CachedVerdict
) -> dict[str, Any]:
    memory, settings = item.memory, ws.settings
    row = {
        name: form.json(value) for (name, form), value in zip(_FORMS, _VALUES(memory), strict=True)
    }
    code = code_of(standing, row["anchors"])
    row["anchors"] = code["anchors"]
    fresh = confidence.effective(
        memory,
        held and held.at,
        ws.now,
        period_days=settings["decayPeriodDays"],
        floor=settings["confidenceFloor"],
    )
    return (
        row
        | {
            "path": path_without_words(item.path, memory.title, item.author)
            if memory.title != WITHHELD
            else None,
            "effective_confidence": fresh,
            "author": item.author or (held and held.author),
            "shared": bool(item.author),
            "stale": code["stale"],
            "stale_since": code["stale_since"],
            "model_says": code["model_says"],
            "branch": memory.branch,
            **doubts(item.feedback),
        }
        | ({"handoff": asdict(details(memory))} if memory.primitive is Primitive.HANDOFF else {})
    )


def iso(moment: datetime) -> str:
    """Return a time in the format of memory files."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
