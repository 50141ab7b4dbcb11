"""Check the memory's branch or folder, and restore lost commits."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from git_lerim.actions import reset
from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.doctor import ref_checks
from git_lerim.actions.doctor.check import Check
from git_lerim.actions.edit_memory import edited_files
from git_lerim.actions.listing import iso
from git_lerim.actions.missing_memory import how_to_get
from git_lerim.actions.purge import removal_hint
from git_lerim.errors import Busy
from git_lerim.git import refs
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.memories.memory import Status
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.branch import lost_commits
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.branch.lost_commits import Lost
from git_lerim.storage.history import purged_logs, purged_refs, replace_branch
from git_lerim.storage.review.dropped import dropped_in
from git_lerim.storage.worktree.worktree_store import TreeStore
from git_lerim.tokens import counted, local_times
from git_lerim.workspace import Workspace

_RESTORE = "to merge them back without losing anything: git lerim doctor --restore"

_AFTER_REPAIR = (
    "git lerim pull brings back what the remote has; if nothing is missing, delete that file"
)


def branch(ws: Workspace) -> Iterator[Check]:
    """Check the memory branch, or the folder in tree mode."""
    store = open_store.tree_of(ws)
    yield from _tree(ws, store) if store else _on_branch(ws)


def _tree(ws: Workspace, store: TreeStore) -> Iterator[Check]:
    repaired = [*store.recover(lock_held=True), *ref_checks.mended(ws)]
    exists = bool(store.look().tree)
    for message in dict.fromkeys((*repaired, *store.warnings)):
        yield Check("tree", "warning", message)
    if not exists:
        yield Check(
            "tree",
            "warning",
            f"{layout.TREE} holds no memory yet",
            "git lerim init --tree creates it",
        )
    elif store.is_ignored():
        how = "remove the line from .gitignore, or git add -f each file"
        yield Check(
            "tree",
            "warning",
            f"git ignores {layout.TREE}, so the memory will not be committed",
            how,
        )
    else:
        yield Check("tree", "ok", f"the memory is in {layout.TREE} of this work tree")


def _on_branch(ws: Workspace) -> Iterator[Check]:
    try:
        with ws.locked(0) if ws.folder.is_dir() else contextlib.nullcontext():
            repaired = [
                *ws.store.recover(lock_held=ws.folder.is_dir()),
                *ref_checks.mended(ws),
            ]
    except Busy as busy:
        yield Check("branch", "warning", str(busy), "that run repairs the branch, if needed")
        repaired = ws.store.recover(lock_held=False)
    for message in (*ws.warnings(), *repaired):
        yield Check("branch", "warning", message)
    yield from ref_checks.gaps_in(ws)
    tip = ws.store.tip()
    name = ws.settings["branch"]
    states = lost_commits.lost_states(ws.place, name, tip)
    lost = reset.unintended(ws, states)
    if error := open_store.on_branch(ws).blocked():
        yield Check("branch", "problem", str(error), error.hint)
    elif tip is None and not lost:
        yield Check("branch", "warning", f"{name} does not exist yet", how_to_get(ws))
    elif tip is not None:
        yield Check("branch", "ok", f"{name} at {tip[:10]}")
    yield from _recreated(ws)
    if lost:
        yield _lost(ws, tip, lost)
    says = "what you deleted with reset --branch is still in {}"
    for state in (each for each in states if each not in lost):
        yield Check("branch", "ok", says.format(_state(state)), _RESTORE)
    yield from _proposals(ws)
    for ref in replace_branch.kept_refs(ws.place):
        how = "once all is well, delete that ref, and git gc will remove the data in time"
        yield Check("purged", "warning", f"{ref} still contains purged data on this machine", how)
    if tip is not None:
        yield from _purged(ws, tip)
    yield from _look_alikes(ws, tip)


def _recreated(ws: Workspace) -> Iterator[Check]:
    """Report what a repair had to leave behind, as long as the branch lacks it."""
    for path in ws.store.set_aside():
        message = f"{ws.store_name} was recreated without its old history, as {path} shows"
        yield Check("branch", "warning", message, _AFTER_REPAIR)


def _proposals(ws: Workspace) -> Iterator[Check]:
    """Report the user's proposals whose branches were deleted before they were decided on."""
    states = open_store.lost_proposals(ws)
    lost = reset.unintended(ws, states, reset.PROPOSALS)
    for state in states:
        if state in lost:
            says = f"a proposal of yours was deleted; its memories are in {_state(state)}"
            how = "to bring it back: git lerim doctor --restore; to drop it then: git lerim review"
            yield Check("proposal", "warning", says, how)
        else:
            says = f"the proposal that you deleted with reset --branch is in {_state(state)}"
            yield Check("proposal", "ok", says, "to bring it back: git lerim doctor --restore")


def _purged(ws: Workspace, tip: str) -> Iterator[Check]:
    """Delete our own copies of purged data; report refs and reflogs that still have some."""
    objects = open_objects(ws.place)
    if replace_branch.finish_purge(ws.place, objects, ws.settings["branch"], tip):
        reset.delete(ws.folder, reset.DERIVED)
        yield Check(
            "purged",
            "warning",
            "removed from backups and reflogs what a purge or a fetch had left there",
        )
    for ref in purged_refs.refs_with_purged(ws.place, objects, tip):
        how = removal_hint(ws, ref) or "delete that ref if you do not need it"
        yield Check("purged", "warning", f"{ref} still contains purged data", how)
    for log in purged_logs.logs_with_purged(ws.place, objects, tip):
        how = 'git can remove such entries; see "git help reflog"'
        yield Check("purged", "warning", f"the reflog of {log} still leads to purged data", how)


def _look_alikes(ws: Workspace, tip: str | None) -> Iterator[Check]:
    """Report tags and `refs/replace/` refs that make git resolve the branch to something else."""
    name, common = ws.settings["branch"], ws.place.common_dir
    if refs.read_ref(common, f"refs/tags/{name}"):
        how = "rename the tag, or write refs/heads/ in front of the name"
        yield Check(
            "branch",
            "warning",
            f"there is also a tag {name}, and git prefers tags over branches of the same name",
            how,
        )
    replaced = (ref.rpartition("/")[2] for ref in refs.below(common, "refs/replace"))
    if tip is not None and (
        grafted := [commit for commit in replaced if open_objects(ws.place).descends(tip, commit)]
    ):
        message = (
            f"git replaces {counted(len(grafted), 'commit')} of {name} with others (git replace):"
            f" {grafted[0][:10]}"
        )
        yield Check(
            "branch",
            "warning",
            message,
            "others see another history than you; to list all replacements: git replace --list",
        )


def _lost(ws: Workspace, tip: str | None, found: list[Lost]) -> Check:
    """Report which commits the branch has lost, since when, and which refs still have them."""
    name = ws.settings["branch"]
    places = [
        _state(state)
        for state in (*found, *lost_commits.elsewhere(ws.place, name, tip, list(found)))
    ]
    if tip is None:
        message = f"{name} was deleted; its old commits are in {'; and in '.join(places)}"
        return Check(
            "branch", "warning", message, f"{_RESTORE}; otherwise the next sync starts a new branch"
        )
    move = lost_commits.last_move(ws.place, name)
    since = ""
    if move and not move.message.startswith("git-lerim"):
        since = f", last changed {local_times(iso(move.at))} by {move.message!r}"
    message = (
        f"{name} was rewound or replaced{since}; its old commits are in {'; and in '.join(places)}"
    )
    return Check(
        "branch",
        "problem" if layout.backup_ref(name) in (s.ref for s in found) else "warning",
        message,
        _RESTORE,
    )


def _state(state: Lost) -> str:
    lacks = counted(state.commits, "commit")
    return (
        f"{state.ref} ({lacks} missing, up to {state.commit[:10]} of {local_times(iso(state.at))})"
    )


def restore(ws: Workspace) -> list[Check]:
    """Merge lost commits back into the branch, from its backups or remote-tracking refs.

    Deleted proposals of the user are brought back, too. Raises Declined if an agent runs this
    command: a person may have deleted them on purpose.
    """
    refuse_agent(ws, "this brings back what may have been deleted on purpose")
    name = ws.settings["branch"]
    store = open_store.branch_only(
        ws, "git log -- .lerim/memory lists the commits that changed it; git revert undoes one"
    )
    tip = store.tip()
    found = lost_commits.lost_states(ws.place, name, tip)
    if tip is None and not found:
        found = list(lost_commits.elsewhere(ws.place, name, tip, []))[:1]
    had = store.stood(tip).memories.keys() if tip else frozenset[str]()
    for state in found:
        store.join(state.commit, state.ref)
    done = [f"merged {_state(state)} back into {name}" for state in found]
    done += _bring_back(ws)
    if not done:
        return [Check("restore", "ok", f"{name} is complete, as far as can be determined")]
    checks = [Check("restore", "ok", says) for says in done]
    return checks + (_drop_again(ws, store, frozenset(had)) if found else [])


def _bring_back(ws: Workspace) -> list[str]:
    """Create the branches of deleted proposals again; return what was done."""
    return [
        f"brought back your proposal {open_store.reviewing(ws).bring_back(state)}"
        for state in open_store.lost_proposals(ws)
    ]


def _drop_again(ws: Workspace, store: BranchStore, had: frozenset[str]) -> list[Check]:
    """Archive the memories that came back, but that the user had dropped in `sync -i`."""
    dropped = {memory.id for memory in dropped_in(ws.place)} - had
    gone: list[str] = []

    def operation(snapshot: Snapshot) -> Change | None:
        items = [
            item
            for id_, item in snapshot.memories.items()
            if id_ in dropped and item.memory.status is not Status.ARCHIVED
        ]
        gone[:] = [item.memory.id for item in items]
        archived = [replace(item.memory, status=Status.ARCHIVED) for item in items]
        changes = map(edited_files, items, archived)
        return Change(
            files={path: data for files in changes for path, data in files.items()},
            subject=f"forget: {counted(len(items), 'memory')} that had been dropped",
            body="\n".join(f"- {each.id} {each.title}" for each in archived),
            trailers=(("Lerim-Op", "forget"), *(("Lerim-Archived", id_) for id_ in gone)),
        )

    if dropped:
        store.commit(operation)
    says = f"archived what came back but had been dropped in sync -i: {', '.join(gone)}"
    hint = "git lerim restore ID brings one back"
    return [Check("restore", "ok", says, hint)] if gone else []
