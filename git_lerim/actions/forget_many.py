"""Archive many memories in one commit: those of a session, run or agent, or before a date.

The summaries of these sessions are archived with them.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from git_lerim.actions import edit_memory
from git_lerim.actions.edit_memory import Changed
from git_lerim.actions.listing import check_agent
from git_lerim.errors import UnknownMemory
from git_lerim.git.history import dates
from git_lerim.memories.memory import Memory, Primitive, Source, Status
from git_lerim.sessions.session_names import is_named
from git_lerim.storage.base import Snapshot
from git_lerim.storage.history import past
from git_lerim.workspace import Workspace

_Named = TypeVar("_Named")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """The criteria for memories to archive; a memory must meet all that are given."""

    session: str | None = None  # `<agent>/<id>`, an id, or its beginning or end
    run: str | None = None  # a run's name or its end
    agent: str | None = None
    before: str | None = None  # only with evidence older than this date


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The memories to archive, and those that match but stay, with the reasons."""

    memories: tuple[Memory, ...]  # newest first
    summaries: tuple[Memory, ...]  # of sessions, newest first
    left: tuple[tuple[str, str], ...]  # id of each memory that is kept, and why


def select(ws: Workspace, selector: Selector) -> Selection:
    """Return the matching memories that are not archived yet.

    Raises UnknownMemory, or UsageError for an invalid filter.
    """
    check_agent(ws, selector.agent)
    now = ws.now.timestamp()
    before = (
        None
        if selector.before is None
        else dates.parse_option("--before", selector.before, now=now)
    )
    snapshot = ws.store.snapshot()
    stored = [
        item.memory
        for item in (*snapshot.memories.values(), *snapshot.summaries.values())
        if item.memory.status is not Status.ARCHIVED
    ]
    tests = [*_of_sources(stored, selector), *_of_run(ws, selector.run, snapshot)]
    matching = [
        m
        for m in stored
        if (before is None or m.created.timestamp() < before) and all(test(m) for test in tests)
    ]
    shared = _is_only_partly(stored, selector)
    left = {
        memory.id: why
        for memory in matching
        if (why := shared(memory) or ("is protected" if memory.protected else ""))
    }
    chosen = sorted(
        (m for m in matching if m.id not in left), key=lambda m: (m.created, m.id), reverse=True
    )
    return Selection(
        memories=tuple(m for m in chosen if m.primitive is not Primitive.SUMMARY),
        summaries=tuple(m for m in chosen if m.primitive is Primitive.SUMMARY),
        left=tuple(left.items()),
    )


def forget(ws: Workspace, selection: Selection, reason: str = "") -> Changed:
    """Archive the selected memories in one commit, with the reason in its message."""
    chosen = (*selection.memories, *selection.summaries)
    return edit_memory.forget(ws, [memory.id for memory in chosen], reason)


def _of_sources(stored: Sequence[Memory], selector: Selector) -> Iterator[Callable[[Memory], bool]]:
    """Yield a test that selects the memories of the chosen session or agent, if one is chosen."""
    matches = _matcher(stored, selector)
    if selector.session is not None or selector.agent is not None:
        yield lambda memory: any(matches(source) for source in memory.sources)


def _is_only_partly(stored: Sequence[Memory], selector: Selector) -> Callable[[Memory], str]:
    """Return a function that says why a memory must stay, or "" if it need not.

    A memory stays if it also cites a session that is not selected.
    """
    matches = _matcher(stored, selector)
    if selector.session is None and selector.agent is None:
        return lambda _: ""

    def why(memory: Memory) -> str:
        other = next((source for source in memory.sources if not matches(source)), None)
        return f"also rests on {other.agent}/{other.session}" if other else ""

    return why


def _matcher(stored: Sequence[Memory], selector: Selector) -> Callable[[Source], bool]:
    session = _session(stored, selector.session) if selector.session is not None else None

    def matches(source: Source) -> bool:
        is_of_session = session is None or (source.agent, source.session) == session
        return is_of_session and (selector.agent is None or source.agent == selector.agent)

    return matches


def _session(stored: Sequence[Memory], named: str) -> tuple[str, str]:
    """Return the one cited session that matches `named`. Raises UnknownMemory."""
    known = {(source.agent, source.session) for memory in stored for source in memory.sources}
    found = {(agent, id_) for agent, id_ in known if is_named(named, agent, id_)}
    exact = {(agent, id_) for agent, id_ in found if named in {f"{agent}/{id_}", id_}}
    return _one(exact or found, "session", named)


def _of_run(
    ws: Workspace, named: str | None, snapshot: Snapshot
) -> Iterator[Callable[[Memory], bool]]:
    if named is None:
        return
    summaries = {past.key(item.path): id_ for id_, item in snapshot.summaries.items()}
    added: dict[str, set[str]] = {}
    for commit in ws.store.history():
        run = dict(commit.trailers).get("Lerim-Run", "")
        if run == named or run.endswith(f"-{named}"):
            added.setdefault(run, set()).update(
                value for key, value in commit.trailers if key == "Lerim-Added"
            )
            new = (past.key(file.path) for file in commit.files if file.status == "A")
            added[run].update(summaries[key] for key in new if key in summaries)
    ids = added[_one(added, "run", named)]
    yield lambda memory: memory.id in ids


def _one(found: Collection[_Named], what: str, named: str) -> _Named:
    if len(found) != 1:
        count = f"{len(found)} {what}s are" if found else f"no {what} with memories is"
        hint = "git lerim logs lists them" if what == "run" else "git lerim sessions lists them"
        raise UnknownMemory(f"{count} called {named!a}", hint=hint)
    return next(iter(found))
