"""The data of `git lerim status`: the state of the memory, the sessions and the queue."""

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from git_lerim.actions.authorship import by_agent, path_for_reader
from git_lerim.actions.code import freshness, visibility
from git_lerim.actions.code.clone_gaps import clone_gaps
from git_lerim.actions.counts import count_memories
from git_lerim.actions.hooks import delivery
from git_lerim.actions.listing import iso
from git_lerim.actions.logs import activity
from git_lerim.actions.maintain import upkeep_note
from git_lerim.actions.models import model_spending
from git_lerim.actions.reset import PROPOSALS, unintended
from git_lerim.actions.setup import unused_memory_hint
from git_lerim.actions.sharing import purged
from git_lerim.actions.sharing.accept import note_purges, note_shown
from git_lerim.actions.sharing.retired import retired
from git_lerim.actions.sync import upgrade
from git_lerim.git import refs
from git_lerim.git.commits import signing
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Snapshot
from git_lerim.storage.branch import lost_commits
from git_lerim.storage.review.dropped import dropped_in
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.storage.base import Waiting
    from git_lerim.storage.branch.lost_commits import Lost


def status(ws: Workspace) -> dict[str, Any]:
    """Return what `git lerim status` shows: the state of store, sessions and last run."""
    snapshot = ws.store.snapshot()
    memories, quarantined = count_memories(ws, snapshot)
    last = next(iter(ws.store.history(limit=1)), None)
    with ws.catalog_to_read() as catalog:
        sessions = catalog.counts()
        unchecked = upgrade.unchecked_memories(ws, catalog)
    waiting = ws.store.waiting()
    note_shown(ws, {each.path: each.blob for each in waiting}, again=False)
    return {
        **_store(ws, snapshot),
        "offered": unused_memory_hint(ws),
        "last_change": iso(last.at) if last and last.at.timestamp() else None,
        "memories": memories,
        "quarantined": [
            {"path": path_for_reader(ws, file.path), "reason": file.reason} for file in quarantined
        ],
        **_purges(ws),
        "purged": [asdict(each) for each in purged.untold(ws)],
        "withdrawn": sorted(snapshot.withdrawn),
        "rewritten": open_store.rewritten(ws, snapshot),
        "retired": [asdict(each) for each in retired(ws, snapshot)],
        "waiting": [_waiting(ws, each) for each in waiting],
        "troubles": _troubles(ws),
        "dropped": len(dropped_in(ws.place)),
        "stale": _stale(ws),
        "hidden": dict(Counter(visibility.hidden_ids(ws).values())),
        "clone_gaps": clone_gaps(ws),
        "unchecked": [{"id": memory.id, "title": memory.title} for memory in unchecked],
        "contradictions": [
            [later.id, earlier.id] for later, earlier in upkeep_note.open_pairs(ws, snapshot)
        ],
        "model": _model(ws),
        "sync": ws.settings["sync"],
        "sessions": sessions,
        "hooks": delivery.hook_status(ws),
        "last_run": next(iter(activity(ws, 1)), None),
    }


def _purges(ws: Workspace) -> dict[str, Any]:
    """Return the memories whose purge waits, and note that the user was shown them."""
    purges = {} if ws.in_tree else purged.waiting_titles(ws)
    note_purges(ws, purges)
    return {"purges_waiting": sorted(purges), "purges_titles": purges}


def _withdrawn_pending(ws: Workspace, snapshot: Snapshot) -> list[str]:
    """Return the memories that others deleted, but that the user's own proposal still has."""
    if not ws.proposing:
        return []
    return sorted(open_store.on_branch(ws).snapshot().withdrawn.keys() - snapshot.withdrawn.keys())


def _waiting(ws: Workspace, each: "Waiting") -> dict[str, str | None]:
    return {"id": each.id, "path": path_for_reader(ws, each.path), "reason": each.reason}


def _store(ws: Workspace, snapshot: Snapshot) -> dict[str, Any]:
    """Return where the memory is stored, and the state of its branch and of proposals."""
    tree = open_store.tree_of(ws)
    proposal, pending = open_store.proposal(ws)
    tip = snapshot.commit if tree else ws.store.tip()
    branch = ws.settings["branch"]
    lost = [] if tree else unintended(ws, lost_commits.lost_states(ws.place, branch, tip))
    is_joined = tip and snapshot.commit != tip and not _is_otherwise_read(ws)
    return {
        "store": "tree" if tree else "branch",
        "branch": ws.store_name,
        "personal": ws.personal,
        "commit": tip,
        "blocked": None if tree else _blocked(ws),
        "fetched": _fetched(ws) if tip is None and not tree else None,
        "joined": _fetched(ws) if is_joined else None,
        "proposal": proposal,
        "pending": pending,
        # the branches may have names of others
        "proposed_as_other": [] if by_agent(ws) else open_store.proposed_as_other(ws),
        "withdrawn_pending": _withdrawn_pending(ws, snapshot),
        "proposals": _proposals(ws),
        "lost": _lost(lost),
        "lost_proposals": _lost(unintended(ws, open_store.lost_proposals(ws), PROPOSALS)),
        "uncommitted": tree.uncommitted() if tree else 0,
    }


def _lost(states: "list[Lost]") -> list[dict[str, Any]]:
    return [{"ref": each.ref, "commit": each.commit, "commits": each.commits} for each in states]


def _blocked(ws: Workspace) -> str | None:
    """Return why the branch cannot store the memory and what to do, or None if it can."""
    error = open_store.on_branch(ws).blocked()
    return f"{error}; {error.hint}" if error else None


def _stale(ws: Workspace) -> int:
    if not ws.has_memory():
        return 0
    return sum(standing.stale is True for standing in freshness.of_all(ws).values())


def _model(ws: Workspace) -> dict[str, Any] | None:
    """Return the model in use and this month's spending, or None if there is neither."""
    month = f"{ws.now:%Y-%m}"
    spent = next((row for row in model_spending.by_month(ws) if row["month"] == month), None)
    return (
        {"name": ws.settings["model"] or None, "month": spent}
        if ws.settings["model"] or spent
        else None
    )


def _proposals(ws: Workspace) -> int:
    """Return how many fetched proposals of others wait for review."""
    folder = f"refs/remotes/{ws.settings['remote']}/{layout.proposals(ws.settings['branch'])}"
    if (
        ws.in_tree
        or ws.personal
        or not refs.below(ws.place.common_dir, folder)
        or not ws.has_memory()
    ):
        return 0
    from git_lerim.actions.sharing import review_list  # noqa: PLC0415 few have proposals to review

    return review_list.count_of_others(ws)


def _is_otherwise_read(ws: Workspace) -> bool:
    """Return whether the memory that is shown can differ from the branch even without a fetch."""
    return ws.in_tree or ws.proposing or ws.settings["trust"] != "remote"


def _fetched(ws: Workspace) -> str | None:
    """Return the remote-tracking branch, or None if nothing was fetched."""
    name = f"{ws.settings['remote']}/{ws.settings['branch']}"
    return name if refs.read_ref(ws.place.common_dir, f"refs/remotes/{name}") else None


def _troubles(ws: Workspace) -> list[str]:
    """Return invalid settings, and background failures that are not resolved yet."""
    why = signing.unsigned_reason(ws.place) if ws.settings["sign"] != "never" else ""
    unpushed = unagreed = ""
    if ws.settings["push"] == "auto":
        from git_lerim.actions.sharing import autopush  # noqa: PLC0415 rarely needed

        unpushed, unagreed = autopush.last_error(ws), autopush.missing_consent(ws)
    troubles = [f"{error}; {error.hint}" for error in ws.settings.invalid]
    if why:
        troubles.append(f"commits are not signed: {why}")
    if unpushed:
        troubles.append(f"cannot push to {unpushed}; to try again: git lerim push")
    if unagreed:
        troubles.append(f"automatic push to {unagreed} needs your approval once: git lerim push")
    return troubles
