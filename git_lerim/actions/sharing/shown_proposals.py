"""Record which version of a proposal the user was shown, and refuse to accept any other."""

from collections.abc import Sequence

from git_lerim.actions.sharing.accept import note_shown, refuse_changed, shown_versions
from git_lerim.actions.sharing.review_list import Waiting
from git_lerim.errors import GitFailed
from git_lerim.git.running.process import plain
from git_lerim.storage import open_store
from git_lerim.storage.base import Stored
from git_lerim.storage.review.proposals import Proposal
from git_lerim.storage.review.proposing import ProposalStore
from git_lerim.workspace import Workspace


def note_proposals(ws: Workspace, waiting: Sequence[Waiting], *, again: bool = True) -> None:
    """Record the versions of proposals that are being shown to the user; see `note_shown`."""
    if waiting:
        store = open_store.reviewing(ws)
        proposals = (each.proposal for each in waiting)
        note_shown(ws, {each.ref: _version(store, each) for each in proposals}, again=again)


def refuse_unseen(ws: Workspace, waiting: Waiting, items: Sequence[Stored]) -> None:
    """Raise UsageError if others have changed these memories since the proposal was shown.

    A proposal that was never shown is refused only if another one was shown whose ref has the same
    last component.
    """
    store, proposal, shown = open_store.reviewing(ws), waiting.proposal, shown_versions(ws)
    now = _version(store, proposal)
    is_other = any(_short(ref) == _short(proposal.ref) for ref in shown)
    seen = shown.get(proposal.ref, "" if is_other else now)
    if seen == now:
        return
    new = _blobs(store, now, items) - _blobs(store, seen, items)
    here = store.written_here(proposal)
    if proposal.own and not here:  # no reflog, as in a bare repository: nobody can be told apart
        return
    changed = {id_ for id_, _, blob in (each.rpartition("-") for each in new) if blob not in here}
    refuse_changed(sorted(changed), f"git lerim review show {plain(waiting.name)}")


def _short(ref: str) -> str:
    return ref.rpartition("/")[2]


def _version(store: ProposalStore, proposal: Proposal) -> str:
    """Return the commit of a proposal on the remote, where others can change it, or "" if none."""
    return (store.fetched(proposal.name) or "") if proposal.own else proposal.tip


def _blobs(store: ProposalStore, tip: str, items: Sequence[Stored]) -> set[str]:
    """Return the versions of memories in a commit, as `<id>-<blob>`; none without such a commit."""
    try:
        return store.reviewed().versions(tip, items) if tip else set()
    except GitFailed:
        return set()
