"""Explain code: find the memories behind it, and the commits and sessions that led to it."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from msgspec import structs

from git_lerim.actions.authorship import by_agent
from git_lerim.actions.code import visibility
from git_lerim.actions.doubted_commits import heading_for_reader, subject_for_agents
from git_lerim.actions.mistrust import for_reader, suspicions
from git_lerim.actions.redacted_texts import redact_texts
from git_lerim.actions.why import code_lines, code_location, commit_sessions
from git_lerim.actions.why.code_location import Target
from git_lerim.actions.why.commit_sessions import Step
from git_lerim.actions.why.steps import CHANGES, find_steps
from git_lerim.errors import GitFailed, UsageError
from git_lerim.git import refs
from git_lerim.git.history import code_commits
from git_lerim.git.history.code_commits import Commit
from git_lerim.memories.memory import Memory, Status
from git_lerim.recall.why import symbols
from git_lerim.recall.why.commit_links import Link
from git_lerim.recall.why.why import CodeQuery, Hit, hits
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry
from git_lerim.sessions.scope import Roots
from git_lerim.sessions.session import Header
from git_lerim.storage import open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.branch import grep
from git_lerim.workspace import Workspace

Links = dict[tuple[str, str], Link]  # by agent and session

_NAMES = 20  # maximum number of a file's names to search for
_ANY_ANCHOR = '{path: "'  # the beginning of every anchor in a memory's file


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer of `git lerim why`: the memories, commits and sessions behind the code."""

    target: Target
    names: tuple[str, ...]  # of the file, the requested one first
    now: str | None  # the new name of a deleted file, if it was renamed
    # the commits behind the code, each with its sessions
    steps: list[tuple[Step, list[Link]]]
    hits: list[Hit]
    stored: dict[str, Stored]
    doubts: dict[str, str]  # why memories are not trusted, by path
    sessions: dict[tuple[str, str], Entry]  # those known on this machine
    cut: bool  # the history is cut off by a shallow clone


def why(ws: Workspace, text: str, *, at: str | None = None, everything: bool = False) -> Answer:
    """Explain the code at `PATH[:LINE[-LINE]]`; raise UsageError if that never existed."""
    target = code_location.find(ws, text, at)
    steps, own = find_steps(ws, target)
    now = _renamed_to(ws, target)
    names = _names(target.path, *own, *_former_names(ws, target), now or target.path)
    search = _memory_search(ws, at, everything=everything)
    symbol_names = code_lines.names(ws, target)
    commits = tuple(step.commit.id for step in steps if target.lines and step.commit.id)
    hidden = {} if everything or at is not None else visibility.hidden_ids(ws)
    mentions = _as_stored([*symbol_names, *(commit[:7] for commit in commits)])
    stored = search([*_path_texts(target, names), *mentions])
    linked, links, sessions = _linked(ws, steps, [item.memory for item in stored.values()])
    stored |= search([grep.literal_part(session) for _, session in links])
    stored = _shown(ws, stored, hidden)
    memories = [item.memory for item in stored.values()]
    asked = CodeQuery(
        path=target.path,
        names=names,
        lines=target.lines,
        folder=target.folder,
        only=_is_only(ws, target, memories),
        symbols=tuple(symbol_names),
        commits=commits,
    )
    doubts, stored = _for_reader(ws, stored)
    found = _own_first(hits(memories, asked, links, code_lines.follower(ws, target)), stored)
    if target.state == "nowhere" and not found:
        raise never_existed(target.path or text)
    return Answer(
        target=_target_for_reader(ws, target),
        names=names,
        now=now,
        steps=_steps_for_reader(ws, linked),
        hits=[replace(hit, memory=stored[hit.memory.id].memory) for hit in found],
        stored=stored,
        doubts=doubts,
        sessions=sessions,
        cut=not steps and target.state != "untracked" and bool(refs.shallow(ws.place.common_dir)),
    )


def _own_first(found: list[Hit], stored: Mapping[str, Stored]) -> list[Hit]:
    """Return the hits about the lines themselves first, and of each group the user's own first.

    The user's own come first because others can forge how certain a hit seems.
    """
    return sorted(found, key=lambda hit: (not hit.close, bool(stored[hit.memory.id].author)))


def _shown(
    ws: Workspace, stored: Mapping[str, Stored], hidden: Container[str]
) -> dict[str, Stored]:
    """Return the memories that are not hidden, with secrets redacted."""
    items = ws.store.gate(item for id_, item in stored.items() if id_ not in hidden)
    return {item.memory.id: item for item in items}


def _names(*paths: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def _for_reader(
    ws: Workspace, stored: Mapping[str, Stored]
) -> tuple[dict[str, str], dict[str, Stored]]:
    """Map the path of each untrusted memory to the reason, and each id to its memory.

    The memories have the form that the reader may see.
    """
    doubts = suspicions(stored.values())
    return doubts, {item.memory.id: item for item in for_reader(ws, stored.values(), doubts)}


def _renamed_to(ws: Workspace, target: Target) -> str | None:
    if target.gone is None or target.folder:
        return None
    return code_commits.renamed_to(ws.place, target.gone.id, target.path)


def never_existed(path: str) -> UsageError:
    """Return the error about a path that this repository never had."""
    return UsageError(
        f"no such path in this repository's history: {path!a}",
        hint="paths are relative to the current folder; git log --all -- PATH shows the history of"
        " a path",
    )


def _steps_for_reader(
    ws: Workspace, steps: list[tuple[Step, list[Link]]]
) -> list[tuple[Step, list[Link]]]:
    """Return the commits behind the code, with subjects that the reader may see."""
    commits = _commits_for_reader(ws, [step.commit for step, _ in steps])
    return [
        (replace(step, commit=commit), links)
        for (step, links), commit in zip(steps, commits, strict=True)
    ]


def _target_for_reader(ws: Workspace, target: Target) -> Target:
    gone = _commits_for_reader(ws, [target.gone]) if target.gone else [None]
    return replace(target, gone=gone[0])


def _commits_for_reader(ws: Workspace, commits: Sequence[Commit]) -> list[Commit]:
    """Return commits without secrets; an agent does not get subjects that give orders."""
    texts = [text for commit in commits for text in (commit.subject, commit.author)]
    clean = dict(zip(texts, redact_texts(ws, texts), strict=True))
    subject_of = subject_for_agents if by_agent(ws) else str
    return [
        replace(commit, subject=subject_of(clean[commit.subject]), author=clean[commit.author])
        for commit in commits
    ]


def _linked(
    ws: Workspace, steps: Sequence[Step], memories: Sequence[Memory]
) -> tuple[list[tuple[Step, list[Link]]], Links, dict[tuple[str, str], Entry]]:
    """Return each step with its sessions, and each session's best link and catalog entry."""
    with ExitStack() as stack:
        has_catalog = not ws.personal and (ws.folder / "catalog.sqlite3").exists()
        catalog: Catalog | None = stack.enter_context(ws.catalog()) if has_catalog else None
        roots = Roots((*ws.territory.extra, *ws.territory.worktrees))
        linked = commit_sessions.link_sessions(catalog, roots, ws.place, steps, memories)
        links = _best_links(linked)
        known = {
            key: replace(entry, header=_header_for_reader(ws, entry.header))
            for key in links
            if catalog and (entry := catalog.entry(*key))
        }
    return linked, links, known


def _header_for_reader(ws: Workspace, header: Header) -> Header:
    return structs.replace(header, title=heading_for_reader(ws, header))


def _path_texts(asked: Target, names: Sequence[str]) -> list[str]:
    """Return texts to search for: every memory about the location contains at least one of them."""
    last = [grep.literal_part(name.rpartition("/")[2]) for name in names[:_NAMES]]
    return [f"{name}/" if asked.folder else name for name in last] if all(last) else [_ANY_ANCHOR]


def _as_stored(texts: Sequence[str]) -> list[str]:
    """Return texts as memory files contain them, without those too short for a search."""
    return [
        written
        for text in texts
        if len(text) >= symbols.SHORTEST and (written := grep.literal_part(text))
    ]


def _tip(ws: Workspace) -> str | None:
    """Return the tip of the memory branch, opening the store only if necessary."""
    if ws.proposing:
        return open_store.reviewing(ws).view()
    found = refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")
    return found if found or not ws.has_memory() else ws.store.tip()


def _memory_search(
    ws: Workspace, at: str | None, *, everything: bool
) -> Callable[[Sequence[str]], dict[str, Stored]]:
    """Return a function that finds the memories that contain one of the given texts.

    It uses `git grep` where possible, and otherwise returns all memories.
    """
    tree = open_store.tree_of(ws)
    if tree:
        return lambda texts: _active(tree.sift(texts, at), everything=everything)
    store = open_store.reviewing(ws) if ws.proposing else open_store.branch_only(ws, "")
    commit = store.handed_out(at)

    def search(texts: Sequence[str]) -> dict[str, Stored]:
        if commit is None:
            return {}
        try:
            found = grep.search_files(ws.place, commit, texts, store.first_come)
            found = {item.memory.id: item for item in store.attributed(found.values())}
        except GitFailed:
            found = dict(ws.store.served(at).memories)
        return _active(found, everything=everything)

    return search


def _active(found: Mapping[str, Stored], *, everything: bool) -> dict[str, Stored]:
    return {
        id_: item
        for id_, item in found.items()
        if everything or item.memory.status is Status.ACTIVE
    }


def _former_names(ws: Workspace, asked: Target) -> Iterator[str]:
    """Yield the file's former names, if any memory is about a path that is gone.

    Otherwise yield nothing, because finding them means reading the whole history.
    """
    in_tree = open_store.tree_of(ws)
    memory = None if in_tree else _tip(ws)
    if asked.folder or asked.tip is None or asked.state == "nowhere" or not (in_tree or memory):
        return
    anchored = in_tree.anchored if in_tree else lambda: grep.anchored_paths(ws.place, memory or "")
    if asked.state == "gone" or anchored() - code_commits.paths_of(ws.place, asked.tip):
        for change in code_commits.changes(ws.place, asked.path, asked.tip, CHANGES):
            yield from change.paths


def _best_links(found: Sequence[tuple[Step, Sequence[Link]]]) -> Links:
    """Return the most certain link of each session."""
    best: Links = {}
    for _, links in found:
        for link in links:
            key = link.agent, link.session
            if key not in best or best[key].sureness < link.sureness:
                best[key] = link
    return best


def _is_only(ws: Workspace, asked: Target, memories: Sequence[Memory]) -> bool:
    """Return whether the location is the only file in the code with its base name.

    This is checked only if a memory mentions the name; otherwise the answer is True for any file.
    """
    last = asked.path.rpartition("/")[2]
    if (
        asked.folder
        or asked.tip is None
        or not any(last in memory.body or last in memory.title for memory in memories)
    ):
        return not asked.folder
    return (
        sum(path.rpartition("/")[2] == last for path in code_commits.paths_of(ws.place, asked.tip))
        <= 1
    )
