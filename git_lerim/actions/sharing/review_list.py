"""Find the proposals that wait for review, and what each would change."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from git_lerim.actions import diff
from git_lerim.actions.authorship import by_agent, path_for_reader
from git_lerim.actions.handoffs.file_names import is_order
from git_lerim.actions.judged import WITHHELD
from git_lerim.actions.listing import iso
from git_lerim.actions.mistrust import shown, shown_of
from git_lerim.errors import LerimError, UsageError
from git_lerim.git import refs
from git_lerim.git.remote.remote_urls import tracking_ref
from git_lerim.git.running.process import plain
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot
from git_lerim.storage.review.proposal_changes import Content
from git_lerim.storage.review.proposals import Proposal
from git_lerim.storage.review.proposing import ProposalStore
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

_NAMED = 5
_READ = 50  # proposals of others


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A proposal that waits for review, with the changes of memories that it proposes."""

    proposal: Proposal
    name: str  # the proposal's, unless an agent reads it and it gives an order
    content: Content
    differences: tuple[diff.Difference, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the memories that the proposal would change."""
        return tuple(each.id for each in self.differences)

    def counts(self) -> dict[str, int]:
        """Return how many memories the proposal would add, change and archive."""
        words = [each.change for each in self.differences]
        added, archived = words.count("added"), words.count("archived")
        return {"added": added, "changed": len(words) - added - archived, "archived": archived}


def list_proposals(
    ws: Workspace,
    wanted: Callable[[Proposal], bool] = lambda _: True,
    *,
    everything: bool = False,
) -> tuple[list[Waiting], int]:
    """Return the proposals that have something to review, newest first, and how many were not read.

    The user's own proposal is rebased first. If there are very many, only the user's own and the
    newest of others are read.
    """
    store = open_store.reviewing(ws)
    if not any(map(wanted, store.proposals())):
        return [], 0
    try:
        store.renew()
    except LerimError as error:  # the proposal is checked out in a work tree
        ws.note(f"your proposal could not be rebased: {error}")
    return _read(ws, store, filter(wanted, store.proposals()), everything=everything)


def published(ws: Workspace, listed: Sequence[Waiting]) -> list[str]:
    """Return the user's proposals that only wait on the remote, except those that are listed.

    The memory here has their changes already, as after a push that the remote's rules refused.
    """
    store, remote = open_store.reviewing(ws), ws.settings["remote"]
    theirs = refs.read_ref(ws.place.common_dir, tracking_ref(remote, ws.settings["branch"]))
    names = {each.proposal.name for each in listed}
    found = (each for each in store.proposals() if each.remote and each.name not in names)
    return [
        plain(each.name)
        for each in found
        if theirs and store.was_pushed(each.name) and store.compared(theirs, each.tip).after
    ]


def count_of_others(ws: Workspace) -> int:
    """Count the proposals of others that have something to review, without updating any.

    If there are very many, only the newest are read, and all others are counted.
    """
    store = open_store.reviewing(ws)
    waiting, unread = _read(ws, store, (each for each in store.proposals() if not each.own))
    return len(waiting) + unread


def _read(
    ws: Workspace, store: ProposalStore, found: Iterable[Proposal], *, everything: bool = False
) -> tuple[list[Waiting], int]:
    """Return those proposals that would change something, and how many were not read."""
    found = list(found)
    theirs = [each.ref for each in found if not each.own]
    unread = set() if everything else set(theirs[_READ:])
    read = [each for each in found if each.ref not in unread]
    reviewed = store.reviewed()
    reviewed.find_bases(each.tip for each in read)
    waiting = [
        with_differences(ws, proposal, store.proposed(proposal, reviewed)) for proposal in read
    ]
    return [each for each in waiting if each.differences or each.content.aside], len(unread)


def get_proposal(ws: Workspace, name: str | None) -> Waiting:
    """Return the proposal that `name` names; without a name, the user's own or the only one.

    Raises UsageError if there is no such proposal, or more than one.
    """
    if name is None:
        waiting, unread = list_proposals(ws)
        mine = [each for each in waiting if each.proposal.own] or waiting
        if len(mine) == 1 and (mine[0].proposal.own or not unread):
            return mine[0]
        count = counted(len(waiting) + unread, "proposal")
        raise _which(waiting, f"{count} wait" if waiting or unread else "no proposals to review")
    named, _ = list_proposals(ws, lambda each: name in _names(each), everything=True)
    near = named or list_proposals(ws, lambda each: _is_like(each, name), everything=True)[0]
    if len(near) == 1:
        return near[0]
    what = "more than one proposal is" if near else "no proposal is"
    raise _which(near or list_proposals(ws)[0], f"{what} called {name!a}")


def _which(waiting: Sequence[Waiting], what: str) -> UsageError:
    known = ", ".join(plain(each.name) for each in waiting[:_NAMED])
    return UsageError(
        what,
        hint=(f"known proposals: {known}" if known else "git lerim pull fetches others' proposals"),
    )


def _names(proposal: Proposal) -> set[str]:
    return {
        proposal.name,
        proposal.ref,
        f"{proposal.remote}/{proposal.name}",
        "/".join(proposal.name.split("/")[-2:]),
    }


def _is_like(proposal: Proposal, name: str) -> bool:
    """Return whether a name is part of a proposal's last component, or names its author."""
    *_, user, last = proposal.name.split("/")
    who = shown_author(proposal)
    return name in last or name in {user, who, who.partition(" <")[0]}


def shown_author(proposal: Proposal) -> str:
    """Return the name of a proposal's author as the list shows it."""
    return "yours" if proposal.own else proposal.who


def with_differences(ws: Workspace, proposal: Proposal, content: Content) -> Waiting:
    """Return a proposal with its changes, with secrets redacted and untrusted memories marked."""
    new = shown(ws) if proposal.own else shown_of(ws, proposal.who)
    before, after = (
        Snapshot(commit=None, memories={item.memory.id: item for item in items.values()})
        for items in (content.before, content.after)
    )
    differences = tuple(diff.compare(before, after, shown(ws), new))
    aside = tuple(replace(file, path=path_for_reader(ws, file.path)) for file in content.aside)
    content = replace(content, aside=aside)
    name = WITHHELD if by_agent(ws) and is_order(proposal.name) else proposal.name
    return Waiting(proposal=proposal, name=name, content=content, differences=differences)


def as_json(waiting: Waiting) -> dict[str, Any]:
    """Return a proposal in the format of `review --json`."""
    proposal = waiting.proposal
    return {
        "proposal": waiting.name,
        "own": proposal.own,
        "remote": proposal.remote,
        "author": proposal.who,
        "date": iso(proposal.at),
        "commit": proposal.tip,
        **waiting.counts(),
        "quarantined": [
            {"path": file.path, "reason": file.reason} for file in waiting.content.aside
        ],
    }
