"""Why code is as it is: the memories behind it, and the commits and sessions that led to it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from git_lerim.actions import listing
from git_lerim.actions.code import code_lines, commit_sessions, visibility
from git_lerim.actions.code import code_location as target
from git_lerim.actions.code.code_location import Target
from git_lerim.actions.code.commit_sessions import Step
from git_lerim.errors import GitFailed, UsageError
from git_lerim.git import refs
from git_lerim.git.history import code_blame
from git_lerim.git.history.code_blame import Commit
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.why import symbols
from git_lerim.recall.why.commit_links import Link
from git_lerim.recall.why.why import CodeQuery, Hit, hits
from git_lerim.sessions.catalog import Catalog, Entry
from git_lerim.sessions.scope import Roots
from git_lerim.sessions.session import moment
from git_lerim.storage import open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.branch import grep
from git_lerim.tokens import counted, span
from git_lerim.workspace import Workspace

Blaming = list[Callable[[], list[code_blame.Blamed]]]

CHANGES = 200  # commits of a history to read
STEPS = 10  # commits to find sessions for
_NAMES = 20  # per file
_ANY_ANCHOR = '{path: "'  # the beginning of every anchor in a memory's file


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is known about why code is as it is."""

    target: Target
    names: tuple[str, ...]  # of the file, the requested one first
    now: str | None  # the new name of a deleted file, if it was renamed
    # the commits behind the code, each with its sessions
    steps: list[tuple[Step, list[Link]]]
    hits: list[Hit]
    stored: dict[str, Stored]
    sessions: dict[tuple[str, str], Entry]  # those known on this machine
    cut: bool  # the history is cut off by a shallow clone


def why(ws: Workspace, text: str, *, at: str | None = None, everything: bool = False) -> Answer:
    """Explain the code at `PATH[:LINE[-LINE]]`. Raises UsageError if that never existed."""
    asked = target.find(ws, text, at)
    steps, own = _steps(ws, asked)
    now = (
        code_blame.renamed_to(ws.place, asked.gone.id, asked.path)
        if asked.gone and not asked.folder
        else None
    )
    names = tuple(dict.fromkeys([asked.path, *own, *_former(ws, asked), *([now] if now else [])]))
    sift = _sifter(ws, at, everything=everything)
    named = code_lines.names(ws, asked)
    commits = tuple(step.commit.id for step in steps if asked.lines and step.commit.id)
    away = {} if everything or at is not None else visibility.hidden_ids(ws)
    stored = sift([*_named(asked, names), *_written([*named, *(commit[:7] for commit in commits)])])
    with ExitStack() as stack:
        there = not ws.personal and (ws.folder / "catalog.sqlite3").exists()
        catalog: Catalog | None = stack.enter_context(ws.catalog()) if there else None
        roots = Roots((*ws.territory.extra, *ws.territory.worktrees))
        found = commit_sessions.linked(
            catalog, roots, ws.place, steps, [item.memory for item in stored.values()]
        )
        links = _best(found)
        sessions = {key: entry for key in links if catalog and (entry := catalog.entry(*key))}
    stored |= sift([grep.written(session) for _, session in links])
    stored = {id_: item for id_, item in stored.items() if id_ not in away}
    memories = [item.memory for item in stored.values()]
    meant = CodeQuery(
        path=asked.path, names=names, lines=asked.lines, folder=asked.folder,
        only=_is_only(ws, asked, memories),
        symbols=tuple(named), commits=commits,
    )  # fmt: skip
    behind = hits(memories, meant, links, code_lines.follower(ws, asked))
    if asked.state == "nowhere" and not behind:
        hint = (
            "a path is meant from the folder you stand in; git log --all -- PATH tells what was"
            " there"
        )
        raise UsageError(
            f"{asked.path or text!a} is no path of this repository, and never was", hint=hint
        )
    cut = not steps and asked.state != "untracked" and bool(code_blame.shallow(ws.place))
    return Answer(
        target=asked,
        names=names,
        now=now,
        steps=found,
        hits=behind,
        stored=stored,
        sessions=sessions,
        cut=cut,
    )


def _named(asked: Target, names: Sequence[str]) -> list[str]:
    """Return search texts: a memory that is about the location or mentions it contains one."""
    last = [grep.written(name.rpartition("/")[2]) for name in names[:_NAMES]]
    return [f"{name}/" if asked.folder else name for name in last] if all(last) else [_ANY_ANCHOR]


def _written(texts: Sequence[str]) -> list[str]:
    """Return the searchable texts as they are written in memory files."""
    return [
        written
        for text in texts
        if len(text) >= symbols.SHORTEST and (written := grep.written(text))
    ]


def _tip(ws: Workspace) -> str | None:
    """Return the tip of the memory branch, opening the store only if necessary."""
    if ws.proposing:
        return open_store.reviewing(ws).view()
    found = refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")
    return found if found or not ws.has_memory() else ws.store.tip()


def _sifter(
    ws: Workspace, at: str | None, *, everything: bool
) -> Callable[[Sequence[str]], dict[str, Stored]]:
    """Return a function that finds memories by text, without libgit2 where git can."""
    in_tree = open_store.tree_of(ws)
    store = (
        None
        if in_tree
        else open_store.reviewing(ws)
        if ws.proposing
        else open_store.branch_only(ws, "")
    )
    commit = store.handed_out(at) if store else None

    def sift(texts: Sequence[str]) -> dict[str, Stored]:
        if in_tree:
            found = in_tree.sift(texts, at)
            return {
                id_: item
                for id_, item in found.items()
                if everything or item.memory.status is Status.ACTIVE
            }
        if commit is None:
            return {}
        try:
            found = grep.sift(ws.place, commit, texts)
            found = (
                {item.memory.id: item for item in store.attributed(found.values())}
                if store
                else found
            )
        except GitFailed:
            found = dict(ws.store.served(at).memories)
        return {
            id_: item
            for id_, item in found.items()
            if everything or item.memory.status is Status.ACTIVE
        }

    return sift


def as_json(ws: Workspace, answer: Answer, limit: int) -> dict[str, Any]:
    """Return the answer in the format of `--json`."""
    asked, chosen = answer.target, answer.hits[:limit]
    memories = listing.as_json(ws, [answer.stored[hit.memory.id] for hit in chosen])
    return {
        "path": asked.path,
        "lines": list(asked.lines) if asked.lines else None,
        "state": asked.state,
        "commit": None if asked.live else asked.tip,
        "removed_by": asked.gone.id if asked.gone else None,
        "renamed_to": answer.now,
        "names": list(answer.names),
        "memories": [
            memory | _found(hit) | {"close": hit.close}
            for memory, hit in zip(memories, chosen, strict=True)
        ],
        "commits": [_step_json(answer, step, links) for step, links in answer.steps],
    }


def _found(found: Hit | Link) -> dict[str, Any]:
    return {"sureness": found.sureness, "sure": found.word, "found": list(found.how)}


def _step_json(answer: Answer, step: Step, links: Sequence[Link]) -> dict[str, Any]:
    commit = step.commit
    return {
        "id": commit.id or None,
        "at": listing.iso(moment(commit.committed * 1000)),
        "author": commit.author,
        "subject": commit.subject,
        "paths": list(step.names),
        "lines": [list(pair) for pair in step.lines],
        "moved": step.moved,
        "sessions": [
            _session_json(link, answer.sessions.get((link.agent, link.session))) for link in links
        ],
    }


def _session_json(link: Link, entry: Entry | None) -> dict[str, Any]:
    times = (entry.started, entry.ended) if entry else (None, None)
    started, ended = (listing.iso(moment(time)) if time is not None else None for time in times)
    title = entry.header.heading if entry else ""
    here = {
        "agent": link.agent,
        "session": link.session,
        "title": title,
        "started": started,
        "ended": ended,
    }
    return here | {"local": entry is not None} | _found(link)


def _former(ws: Workspace, asked: Target) -> Iterator[str]:
    """Yield the file's former names, if any memory is about a path that is gone.

    Otherwise skip this: it reads the whole history.
    """
    in_tree = open_store.tree_of(ws)
    memory = None if in_tree else _tip(ws)
    if asked.folder or asked.tip is None or asked.state == "nowhere" or not (in_tree or memory):
        return
    anchored = in_tree.anchored if in_tree else lambda: grep.anchored(ws.place, memory or "")
    if asked.state == "gone" or anchored() - code_blame.paths_of(ws.place, asked.tip):
        for change in code_blame.changes(ws.place, asked.path, asked.tip, CHANGES):
            yield from change.paths


def _steps(ws: Workspace, asked: Target) -> tuple[list[Step], list[str]]:
    """Return the commits behind the code, main authors first, and the file's names in them."""
    if asked.state == "nowhere" or (asked.tip is None and asked.folder):
        return [], []
    if asked.tip is None:
        return [_uncommitted(ws, asked, None)], []
    if asked.folder:
        changes = code_blame.changes(ws.place, asked.path, asked.tip, CHANGES, folder=True)
        facts = code_blame.commits(ws.place, [change.id for change in changes[:STEPS]])
        return [
            Step(
                commit=facts.get(change.id, change),
                names=change.paths,
                since=_last_changes(change, changes[number + 1 :]),
            )
            for number, change in enumerate(changes[:STEPS])
        ], []
    blamed, own = _blamed(ws, asked)
    blamed = blamed[:STEPS]
    waits = [
        code_blame.changed_before(ws.place, *each.previous) if each.previous else None
        for each in blamed
    ]
    facts = code_blame.commits(ws.place, [each.commit for each in blamed if each.commit])
    before = [wait() if wait else None for wait in waits]
    here = facts.keys() - code_blame.shallow(ws.place)
    known = [
        (each, time)
        for each, time in zip(blamed, before, strict=True)
        if each.commit in {None, *here}
    ]
    return [_step(ws, asked, each, (facts, time)) for each, time in known], own


def _step(
    ws: Workspace,
    asked: Target,
    blamed: code_blame.Blamed,
    known: tuple[Mapping[str, Commit], int | None],
) -> Step:
    facts, before = known
    if blamed.commit is None:
        return replace(_uncommitted(ws, asked, before), lines=blamed.lines)
    names = tuple(dict.fromkeys([blamed.path, *([blamed.previous[1]] if blamed.previous else [])]))
    since = dict.fromkeys(names, before) if before is not None else {}
    return Step(
        commit=facts[blamed.commit],
        names=names,
        since=since,
        lines=blamed.lines,
        moved=blamed.moved,
    )


def _last_changes(change: Commit, earlier: Sequence[Commit]) -> dict[str, int]:
    """Return when each path of a change was changed before."""
    paths = set(change.paths)
    return {
        path: before.authored
        for before in reversed(earlier)
        for path in before.paths
        if path in paths
    }


def _blaming(ws: Workspace, asked: Target) -> Blaming:
    """Start git blame twice in parallel: for who wrote the lines, and for who last touched them."""
    tip = None if asked.live else asked.tip
    kinds = (True, False) if asked.lines else (True,)
    return [
        code_blame.blaming(ws.place, asked.path, asked.lines, tip, origin=origin)
        for origin in kinds
    ]


def _blamed(ws: Workspace, asked: Target) -> tuple[list[code_blame.Blamed], list[str]]:
    """Return who wrote the lines, then who only moved them, and the file's names in those commits.

    Raises UsageError if the lines are beyond the end of the file.
    """
    if asked.state == "untracked":
        before = (asked.tip, asked.path) if asked.tip else None
        return [
            code_blame.Blamed(
                commit=None,
                path=asked.path,
                lines=(asked.lines,) if asked.lines else (),
                previous=before,
            )
        ], []
    found, errors = [], []
    for done in _blaming(ws, asked):  # wait for every process
        try:
            found.append(done())
        except GitFailed as error:
            errors.append(error)
    if errors:
        said = str(errors[0])
        if asked.lines and "has only" in said:
            noun = "line" if asked.lines[0] == asked.lines[1] else "lines"
            has = int(said.rpartition("has only ")[2].split(" ")[0])
            raise UsageError(
                f"{asked.path} has no {noun} {span(asked.lines)}",
                hint=f"it has {counted(has, 'line')}",
            ) from errors[0]
        # a submodule, for example
        changes = code_blame.changes(ws.place, asked.path, asked.tip, STEPS) if asked.tip else []
        return [
            code_blame.Blamed(commit=change.id, path=asked.path, lines=()) for change in changes
        ], []
    wrote, touched = found[0], found[-1]  # the same, unless lines were asked for
    known = {each.commit for each in wrote}
    own = [
        name for each in touched for name in (each.path, *(each.previous or ("", each.path))[1:])
    ]
    return [
        *wrote,
        *(replace(each, moved=True) for each in touched if each.commit not in known),
    ], own


def _uncommitted(ws: Workspace, asked: Target, before: int | None) -> Step:
    now = int(ws.now.timestamp())
    commit = Commit(
        id="",
        authored=now,
        committed=now,
        author="",
        subject="not committed yet",
        paths=(asked.path,),
    )
    since = {asked.path: before} if before is not None else {}
    return Step(
        commit=commit, names=(asked.path,), since=since, lines=(asked.lines,) if asked.lines else ()
    )


def _best(found: Sequence[tuple[Step, Sequence[Link]]]) -> dict[tuple[str, str], Link]:
    """Return the surest link of each session."""
    best: dict[tuple[str, str], Link] = {}
    for _, links in found:
        for link in links:
            key = link.agent, link.session
            if key not in best or best[key].sureness < link.sureness:
                best[key] = link
    return best


def _is_only(ws: Workspace, asked: Target, memories: Sequence[Memory]) -> bool:
    """Tell whether no other file has this base name; only checked if a memory mentions it."""
    last = asked.path.rpartition("/")[2]
    if (
        asked.folder
        or asked.tip is None
        or not any(last in memory.body or last in memory.title for memory in memories)
    ):
        return not asked.folder
    return (
        sum(path.rpartition("/")[2] == last for path in code_blame.paths_of(ws.place, asked.tip))
        <= 1
    )
