"""Set up a repository: create its store, and choose which agents to read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.actions.allow import allow_set
from git_lerim.actions.authorship import path_for_reader, refuse_agent
from git_lerim.actions.intake.own_trees import OwnTrees, own_trees
from git_lerim.actions.reset import unintended
from git_lerim.actions.sharing.secret_scan import refusal
from git_lerim.agents import roster
from git_lerim.errors import LerimError, UsageError
from git_lerim.git import gitconfig, refs
from git_lerim.git.running.process import plain
from git_lerim.storage import layout, open_store
from git_lerim.storage.branch import lost_commits
from git_lerim.storage.worktree import worktree_reader
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.storage.base import Snapshot, Waiting
    from git_lerim.storage.worktree.convert_store import Moved

_NAMED = 5
_CHOICE = "this changes whose sessions are read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What `init` created and found."""

    store: str  # branch | tree
    branch: str  # the branch, or the folder
    commit: str | None  # None: not committed yet
    made: bool
    taken_from: str | None
    agents: dict[str, int]  # agent → number of session files
    moved: "Moved | None" = None  # what was converted from the other store
    notes: tuple[str, ...] = ()  # hints for the user


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One agent: whether it is connected, and where its sessions are."""

    agent: str
    connected: bool
    paths: tuple[str, ...]
    sources: int


def init(ws: Workspace, store: str | None = None) -> Begun:
    """Create the store, or switch to the requested one and copy the memories from the other one.

    Does nothing if the store exists already and none was requested. Raises Declined if an agent
    requests one: in a work tree, its edits of the files would count as the user's.
    """
    if ws.personal and store is not None:
        raise UsageError(
            "your personal memory is on a branch in its own repository",
            hint="leave out --personal",
        )
    if store is not None:
        refuse_agent(ws, "this changes where the memory is stored")
    if (store or ("tree" if ws.in_tree else "branch")) == "tree":
        return _in_tree(ws, asked=store is not None)
    return _on_branch(ws, asked=store is not None)


def _on_branch(ws: Workspace, *, asked: bool) -> Begun:
    """Create the memory branch, from a fetched one if there is one.

    If the user asked for branch mode, also copy the memories of the work tree into it.
    """
    branch = open_store.on_branch(ws)
    if (before := branch.tip()) and (error := branch.blocked()):
        raise error  # the branch exists, but contains no memory
    remote = ws.settings["remote"]
    if not (taken := before is None and branch.attach(remote)):
        branch.unused()  # raises GitFailed if a partial clone cannot fetch what to take
    tip = branch.start()
    moved: Moved | None = None
    notes: tuple[str, ...] = ()
    if asked:
        if ws.place.worktree is not None and worktree_reader.is_offered(ws.place):
            from git_lerim.storage.worktree import convert_store  # noqa: PLC0415

            tree = open_store.in_tree(ws)
            moved = convert_store.into_branch(
                branch, tree, lambda files: _refuse_secrets(ws, files)
            )
            tip = branch.tip() or tip
            notes = (
                *_not_copied(ws, tree.snapshot()),
                f"the files in {layout.TREE} are kept; to remove them from your own branch: git rm",
            )
        _set(ws, "branch")
    elif offer := unused_memory_hint(ws):
        notes = (offer,)
    return Begun(
        store="branch", branch=ws.settings["branch"], commit=tip, made=before is None,
        agents=_agents(ws), moved=moved,
        taken_from=f"{remote}/{ws.settings['branch']}" if taken else None, notes=notes,
    )  # fmt: skip


def _not_copied(ws: Workspace, snapshot: "Snapshot") -> list[str]:
    aside = [
        f"{layout.TREE}/{path_for_reader(ws, file.path)} was not copied: {file.reason}"
        for file in snapshot.quarantined
    ]
    more = [f"and {len(aside) - _NAMED} more"] if len(aside) > _NAMED else []
    return [*aside[:_NAMED], *more]


def _in_tree(ws: Workspace, *, asked: bool) -> Begun:
    """Create the memory folder in the work tree.

    If the user asked for tree mode, also copy the branch's memories into it.
    """
    if asked:
        open_store.on_branch(ws).unused()  # raises GitFailed as in `_on_branch`
    tree = open_store.in_tree(ws)
    made = bool(tree.start())
    moved: Moved | None = None
    waiting: list[Waiting] = []
    notes = [*tree.warnings]
    if asked:
        from git_lerim.storage.worktree import convert_store  # noqa: PLC0415

        branch = open_store.on_branch(ws)
        before = branch.tip()
        moved = convert_store.into_tree(branch, tree)
        waiting = branch.waiting()
        notes += _left_on_branch(ws, branch.snapshot())
        _set(ws, "tree")
        if branch.tip() != before:  # another process wrote to the branch meanwhile
            moved += convert_store.into_tree(branch, tree)
    if waiting:
        notes.append(
            f"{counted(len(waiting), 'file')} of the branch not copied: withheld by lerim.trust"
        )
    if tree.is_ignored():
        notes.append(
            f"git ignores {layout.TREE}, so the memory will not be committed; check .gitignore"
        )
    return Begun(
        store="tree", branch=layout.TREE, commit=tree.tip(), made=made, taken_from=None,
        agents=_agents(ws), moved=moved,
        notes=tuple(notes),
    )  # fmt: skip


def _left_on_branch(ws: Workspace, snapshot: "Snapshot") -> list[str]:
    """Return a line on what stays on the branch: others' deletions and the user's proposal."""
    proposal, pending = open_store.proposal(ws)
    left = [f"{counted(len(snapshot.withdrawn), 'memory')} deleted by others"]
    left = left if snapshot.withdrawn else []
    left += [f"{counted(pending, 'file')} of your proposal {proposal}"] if proposal else []
    back = "git lerim init --branch lists them again"
    return [f"left on the branch: {' and '.join(left)}; {back}"] if left else []


def unused_memory_hint(ws: Workspace) -> str:
    """Return a hint if the repository has a memory that is not used yet, else ""."""
    if ws.personal:
        return ""
    if is_only_fetched(ws):
        return f"{_only_fetched(ws)}; to use it: git lerim init"
    if ws.settings.settings["store"].origin != "default" or not worktree_reader.is_offered(
        ws.place
    ):
        return ""
    return (
        f"this repository has a memory in {layout.TREE} that is not used; to use it: git lerim"
        " init --tree"
    )


def refuse_only_fetched(ws: Workspace) -> None:
    """Raise LerimError if the repository's memory was only fetched, so that no past is known."""
    if is_only_fetched(ws):
        raise LerimError(_only_fetched(ws), hint="to use it: git lerim init")


def is_only_fetched(ws: Workspace) -> bool:
    """Return whether a remote's memory was fetched, but there is none here yet."""
    fetched = f"refs/remotes/{ws.settings['remote']}/{ws.settings['branch']}"
    return (
        not (ws.personal or ws.in_tree or ws.has_memory())
        and refs.read_ref(ws.place.common_dir, fetched) is not None
    )


def _only_fetched(ws: Workspace) -> str:
    return f"a memory was fetched from {ws.settings['remote']} but is not used yet"


def deleted_branch_hint(ws: Workspace) -> str:
    """Return a hint if the branch was deleted and its commits are not restored yet, else ""."""
    name = ws.settings["branch"]
    if ws.in_tree or not refs.read_ref(ws.place.common_dir, layout.backup_ref(name)):
        return ""
    if not unintended(ws, lost_commits.lost_states(ws.place, name, ws.store.tip())):
        return ""
    return f"{name} was deleted; to bring it back: git lerim doctor --restore"


def _set(ws: Workspace, store: str) -> None:
    if ws.settings["store"] != store:
        gitconfig.replace(ws.place, "lerim.store", store)


def _refuse_secrets(ws: Workspace, files: Mapping[str, bytes | None]) -> None:
    """Raise Unsafe if a file, perhaps edited by hand, contains what looks like a secret."""
    found = []
    for path, data in files.items():
        text = (data or b"").decode("utf-8", "replace")
        lines = [
            (text.count("\n", 0, finding.start) + 1, finding.rule)
            for finding in ws.redactor.find(text)
        ]
        found += [f"{plain(path)}, line {line} ({rule})" for line, rule in lines]
    if found:
        hint = "edit the file, or allow the text with lerim.redactAllow if it is not a secret"
        raise refusal("nothing was committed", found, hint)


def _agents(ws: Workspace) -> dict[str, int]:
    return {row.agent: row.sources for row in connections(ws) if row.sources}


def connections(ws: Workspace) -> list[Connection]:
    """Return all known agents, and whether each is connected."""
    chosen, own = ws.settings["agents"], own_trees(ws)
    return [
        _connection(ws, own, name, connected=chosen is None or name in chosen)
        for name in roster.AGENTS
    ]


def _connection(ws: Workspace, own: OwnTrees, name: str, *, connected: bool) -> Connection:
    agent = roster.agent(name)
    paths = {each: path.value for each, path in ws.settings.paths.items()}
    roots = roster.roots(name, ws.places, paths)
    existing, count = [], 0
    for root in roots:
        try:
            if root.exists():
                existing.append(root)
                count += sum(1 for _ in own.leave_out(agent, root, []))
        except (LerimError, OSError):
            continue  # sync reports what cannot be read
    return Connection(
        agent=name, connected=connected, paths=tuple(map(str, existing or roots)), sources=count
    )


def connect(ws: Workspace, name: str, path: str | None) -> None:
    """Let syncs read an agent's sessions, from `path` if given."""
    roster.checked(name)
    folder = None if path is None else Path(path).expanduser().absolute()
    if folder is not None:
        if not folder.exists():
            raise UsageError(f"{folder} does not exist", hint="--path takes a folder of sessions")
        if name in ws.settings.paths:
            refuse_agent(ws, _CHOICE)
    chosen = ws.settings["agents"]
    if chosen is not None and name not in chosen:
        _choose(ws, [*chosen, name])
    if folder is not None:
        gitconfig.replace(ws.place, f"lerim.{name}.path", str(folder))
    allow_set(ws)


def disconnect(ws: Workspace, name: str) -> None:
    """Stop reading an agent's sessions; memories from them stay."""
    roster.checked(name)
    chosen = ws.settings["agents"]
    _choose(ws, [other for other in (roster.AGENTS if chosen is None else chosen) if other != name])
    gitconfig.unset(ws.place, f"lerim.{name}.path")
    allow_set(ws)


def connect_auto(ws: Workspace) -> None:
    """Let syncs read every agent found on this machine, now and later."""
    if ws.settings["agents"] is not None:
        refuse_agent(ws, _CHOICE)
    gitconfig.unset(ws.place, "lerim.agents")
    allow_set(ws)


def _choose(ws: Workspace, names: Iterable[str]) -> None:
    refuse_agent(ws, _CHOICE)
    gitconfig.replace(ws.place, "lerim.agents", ",".join(dict.fromkeys(names)) or "none")
