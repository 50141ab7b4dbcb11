"""Extract sessions again after an upgrade of the rules; supersede what is not found again.

All memories are superseded in one commit. A memory from a session whose transcript is gone cannot
be checked; the user is asked about such memories once. Only sessions that this catalog has
extracted count as gone: a colleague's transcript was never on this machine, so its absence says
nothing about the memories.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from git_lerim.actions.author_of import author_of
from git_lerim.actions.intake import session_commit
from git_lerim.actions.intake.extract import SessionResult, read
from git_lerim.actions.intake.session_extraction import Work
from git_lerim.extraction.reconcile import Action, Supersede, withdraw
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.extraction.supersession.force import decided_by_person
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Status
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry
from git_lerim.storage.base import Change, Snapshot
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_Session: TypeAlias = tuple[str, str]

# Asks whether to keep memories that cannot be checked; None if nobody answers.
AskKeep: TypeAlias = Callable[[Sequence[Memory]], bool | None]
Progress: TypeAlias = Callable[[int, int, str], None]


@dataclass(kw_only=True)
class Upgrade:
    """The result of extracting sessions again after an upgrade of the rules."""

    commit: str | None = None
    # superseded memories, by the session they came from
    results: list[SessionResult] = field(default_factory=list)
    # sessions that were read again, to be extracted by this run
    again: list[Entry] = field(default_factory=list)
    unchecked: int = 0  # undecided memories

    @property
    def superseded(self) -> int:
        """Return how many memories were superseded."""
        return sum(
            isinstance(action, Supersede) for result in self.results for action in result.actions
        )


def outdated_sessions(ws: Workspace, due: Iterable[Entry], known: Sequence[Entry]) -> list[Entry]:
    """Return the sessions that older rules extracted.

    These are the `known` ones, which the catalog lists, and those of `due` that were extracted by
    older rules according to the trailers of commits: a new catalog does not know what was extracted
    before.
    """
    names = {entry.name for entry in known}
    unknown = {
        (entry.agent, entry.id): entry
        for entry in due
        if not entry.extracted and entry.name not in names
    }
    if not unknown or not (unknown.keys() & _sessions_in(ws)):
        return [*known]
    versions = _versions_in_history(ws)
    return [
        *known,
        *(
            entry
            for name, entry in unknown.items()
            if versions.get(name, RULES_VERSION) < RULES_VERSION
        ),
    ]


def upgrade(
    work: Work, entries: Sequence[Entry], ask: AskKeep | None, progress: Progress
) -> Upgrade:
    """Read sessions again, and supersede memories that the current rules do not find there.

    Memories that a person has changed are kept. All changes are one commit.
    """
    done = Upgrade()
    given: dict[_Session, frozenset[str]] = {}
    readers: dict[_Session, Callable[[Memory], bool]] = {}
    readable = [entry for entry in entries if entry.kept]
    for number, entry in enumerate(readable, 1):
        progress(number, len(readable), f"reading {entry.name} again")
        kept = read(work, entry, saving=True)
        if kept is not None:
            session = (entry.agent, entry.id)
            given[session], readers[session] = (
                frozenset(memory.id for memory in kept.memories),
                session_commit.reader(kept.session),
            )
            queue.wait_again(work.catalog, entry)
            done.again.append(entry)
    work.catalog.flush()
    for session in _ask_to_keep(work, [entry for entry in entries if not entry.kept], ask, done):
        given[session], readers[session] = frozenset(), lambda _: True
    actions = _commit(work, given, lambda session, memory: readers[session](memory), done)
    done.results = _by_session(entries, actions)
    return done


def unchecked_memories(ws: Workspace, catalog: Catalog) -> list[Memory]:
    """Return the active memories that older rules found in sessions whose transcripts are gone.

    They cannot be checked, so the user has to decide whether to keep them.
    """
    found = [
        entry
        for entry in queue.outdated(catalog, RULES_VERSION)
        if not entry.kept and entry.reason == queue.GONE
    ]
    return _memories_of(ws, found)


def _ask_to_keep(
    work: Work, gone: Sequence[Entry], ask: AskKeep | None, done: Upgrade
) -> set[_Session]:
    """Ask whether to keep memories whose transcripts are gone.

    If the answer is no, return the sessions whose memories are to be superseded; otherwise none.
    """
    memories = _memories_of(work.ws, gone)
    answer = True if not memories else ask(memories) if ask else None
    for entry in gone:
        if answer is None:
            queue.gone(work.catalog, entry)
        else:
            queue.left_as_it_is(work.catalog, entry, RULES_VERSION)
    work.catalog.flush()
    done.unchecked = len(memories) if answer is None else 0
    return {(entry.agent, entry.id) for entry in gone} if memories and answer is False else set()


def _memories_of(ws: Workspace, gone: Sequence[Entry]) -> list[Memory]:
    """Return the active memories that cite only `gone` sessions and that no person changed."""
    names = {(entry.agent, entry.id) for entry in gone}
    if not names:
        return []
    stored = (item.memory for item in ws.store.believed(ws.store.snapshot()).memories.values())
    rests = (m for m in stored if m.status is Status.ACTIVE and not decided_by_person(m))
    return [
        memory
        for memory in rests
        if {(source.agent, source.session) for source in memory.sources} <= names
    ]


def _commit(
    work: Work,
    given: Mapping[_Session, Collection[str]],
    was_read: Callable[[_Session, Memory], bool],
    done: Upgrade,
) -> list[Action]:
    ws, actions = work.ws, list[Action]()

    def operation(snapshot: Snapshot) -> Change | None:
        believed = ws.store.believed(snapshot)
        memories = {id_: item.memory for id_, item in believed.memories.items()}
        author = author_of(ws, believed)
        actions[:] = map(_explained, withdraw(given, memories, was_read, author))
        return _change(work.report.run_id, actions, snapshot) if actions else None

    done.commit = ws.store.commit(operation) if given else None
    work.report.commits += [done.commit] if done.commit else []
    return actions


def _explained(action: Action) -> Action:
    if isinstance(action, Supersede) and action.by is None:
        return replace(action, reason=f"rules {RULES_VERSION} no longer find it")
    return action


def _superseded(actions: Iterable[Action]) -> int:
    return sum(isinstance(action, Supersede) for action in actions)


def _change(run: str, actions: Sequence[Action], snapshot: Snapshot) -> Change:
    memories = [action.memory for action in actions]
    count = counted(_superseded(actions), "memory")
    return Change(
        files={
            snapshot.memories[memory.id].path: frontmatter.render(memory) for memory in memories
        },
        subject=f"supersede: {count} that rules {RULES_VERSION} no longer find",
        body="\n".join(
            f"{action.sign} {action.memory.id} {action.memory.title}" for action in actions
        ),
        trailers=(
            ("Lerim-Op", "supersede"),
            ("Lerim-Run", run),
            ("Lerim-Model", f"rules/{RULES_VERSION}"),
            *(("Lerim-Changed", memory.id) for memory in memories),
        ),
    )


def _by_session(entries: Sequence[Entry], actions: Sequence[Action]) -> list[SessionResult]:
    by_name = {(entry.agent, entry.id): SessionResult(entry=entry, actions=[]) for entry in entries}
    for action in actions:
        before = ((source.agent, source.session) for source in action.memory.sources)
        named = next((name for name in before if name in by_name), next(iter(by_name)))
        by_name[named].actions.append(action)
    return [result for result in by_name.values() if result.actions]


def _sessions_in(ws: Workspace) -> set[_Session]:
    stored = ws.store.snapshot().memories.values()
    return {(source.agent, source.session) for item in stored for source in item.memory.sources}


def _versions_in_history(ws: Workspace) -> dict[_Session, int]:
    """Return the version of the rules that last extracted each session, from commit trailers."""
    versions: dict[_Session, int] = {}
    for commit in ws.store.history():  # newest first
        trailers = dict(commit.trailers)
        rules, _, number = trailers.get("Lerim-Model", "").partition("/")
        if trailers.get("Lerim-Op") == "sync" and rules == "rules":
            name = (trailers.get("Lerim-Agent", ""), trailers.get("Lerim-Session", ""))
            versions.setdefault(name, int(number) if number.isascii() and number.isdigit() else 1)
    return versions
