"""Push the user's proposal to a remote, and open a pull request into the memory branch."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_lerim.actions.sharing import proposal_text, review_list
from git_lerim.actions.sharing.pull import expire_purged_logs
from git_lerim.actions.sharing.push import (
    ROUNDS,
    Ask,
    display_urls,
    record_consent,
    refuse_first_push,
    rejection,
    was_pushed,
)
from git_lerim.actions.sharing.review_list import Waiting
from git_lerim.actions.sharing.secret_scan import refuse_secrets
from git_lerim.actions.sharing.sent import Sent, notes, sent_by
from git_lerim.errors import LerimError
from git_lerim.git import forge, refs
from git_lerim.git.forge import Opened
from git_lerim.git.remote.fetch import fetch_branch
from git_lerim.git.remote.push import Answer, push_branch
from git_lerim.git.remote.remote_urls import fetch_url, push_urls, tracking_ref
from git_lerim.git.running.process import git_line, plain
from git_lerim.storage import layout, open_store
from git_lerim.storage.review.proposals import Proposal
from git_lerim.storage.review.proposing import ProposalStore
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A pushed proposal."""

    name: str
    remote: str
    url: str  # safe to print
    commit: str
    moved: bool  # whether the remote's branch moved
    title: str
    text: str  # the description
    # URL of the compare page, if the remote is on a known forge
    address: str | None
    opened: Opened | None  # what the forge's command-line tool did, if installed


def fetched_proposals(ws: Workspace, name: str | None) -> dict[str, str]:
    """Map the ref of each fetched proposal of a remote to its commit."""
    where, folder = name or ws.settings["remote"], layout.proposals(ws.settings["branch"])
    return {} if ws.personal else refs.below(ws.place.common_dir, tracking_ref(where, folder))


def new_proposals(
    ws: Workspace, name: str | None, before: Mapping[str, str]
) -> tuple[list[Waiting], int]:
    """Rebase our own proposal, and return proposals of others that arrived since `before`.

    If there are very many, only the newest are read; the number says how many were not.
    """
    new = fetched_proposals(ws, name).items() - before.items()
    with contextlib.suppress(LerimError):
        if not ws.personal:
            open_store.reviewing(ws).renew()
        if new:
            return review_list.list_proposals(ws, lambda each: (each.ref, each.tip) in new)
    return [], 0


def pending(ws: Workspace) -> tuple[str | None, int]:
    """Return the user's proposal branch, and the number of its files that wait for review."""
    return open_store.proposal(ws)


def published(ws: Workspace, name: str) -> tuple[str | None, bool]:
    """Return the remote that has the user's proposal, or None, and whether it is up to date there.

    This is known from the last fetch or push.
    """
    there = open_store.reviewing(ws).fetched(name)
    is_current = there == refs.read_ref(ws.place.common_dir, f"refs/heads/{name}")
    return (plain(ws.settings["remote"]) if there else None), is_current


def push_proposal(ws: Workspace, named: str | None, ask: Ask) -> Offered:
    """Push the user's own proposal and its base, asking before the first push to a remote.

    A proposal is rebased when the memory moves; the remote's version is replaced only if we
    pushed or fetched it. Raises Unsafe for a secret, Declined, GitFailed, UsageError.
    """
    where = ws.settings["remote"]
    urls = push_urls(ws.place, where)
    # the push URL, if it is not the fetch URL
    at = "" if fetch_url(ws.place, where) in urls else urls[0]
    store = open_store.reviewing(ws)
    _require_own(ws, named)
    asked = was_pushed(ws, urls)
    for _ in range(ROUNDS):
        theirs = _base(ws, where)
        name = _fetched(ws, store, where, at)
        tip = store.view() or ""
        waiting = _waiting(ws, store, name, tip, theirs)
        if not asked:
            sent = _sent_first(ws, where, tip, theirs, waiting)
            ask(_question(waiting, sent, where, urls))
            asked = True
        known = store.fetched(name)
        if known == tip:
            return _result(ws, waiting, where, urls, moved=False)
        refuse_secrets(ws, tip, None if at else theirs)
        lease = known if known and not store.grew_from(tip, known) else None
        answer = push_branch(ws.place, where, name, tip, alone=False, instead_of=lease)
        if answer.answer is Answer.TAKEN:
            store.pushed(name, tip)
            expire_purged_logs(ws)
            record_consent(ws, urls, tip)
            return _result(ws, waiting, where, urls, moved=True)
        if answer.answer is Answer.REFUSED:
            raise rejection(ws, where, name, answer.said, is_proposal=True)
    raise LerimError(
        f"{plain(where)} was changed by others {ROUNDS} times during the push",
        hint="try again later",
    )


def _require_own(ws: Workspace, named: str | None) -> None:
    """Raise LerimError if the named proposal is not the user's."""
    if named is not None and not review_list.get_proposal(ws, named).proposal.own:
        raise LerimError(
            "only the author of a proposal can push it",
            hint="to accept memories from it: git lerim review accept",
        )


def _base(ws: Workspace, where: str) -> str:
    theirs = fetch_branch(ws.place, where, ws.settings["branch"], alone=False)
    if theirs is None:
        branch = ws.settings["branch"]
        hint = (
            "ask someone with push access to run git lerim push first, or set lerim.remote to a"
            " remote that you can push to"
        )
        raise LerimError(
            f"{plain(where)} has no branch {branch} yet, so there is nothing to propose changes to",
            hint=hint,
        )
    return theirs


def _fetched(ws: Workspace, store: ProposalStore, where: str, at: str) -> str:
    """Return the branch to push to, after fetching others' changes to it."""
    before = store.own()
    if before is not None and fetch_branch(ws.place, where, before, alone=False, at=at) is None:
        store.forget_fetched(before)
    store.renew()
    name = store.offered()
    if name != before and fetch_branch(ws.place, where, name, alone=False, at=at) is None:
        store.forget_fetched(name)
    return name


def _waiting(ws: Workspace, store: ProposalStore, name: str, tip: str, theirs: str) -> Waiting:
    """Return the changes that the push would propose. Raises LerimError if there are none."""
    content = store.compared(theirs, tip)
    if not content.before and not content.after:
        raise LerimError(
            "nothing to propose",
            hint=_still_published(ws, store)
            or "to propose changes, use --propose, or set lerim.review=proposal",
        )
    return review_list.with_differences(ws, store.described(name, tip), content)


def _still_published(ws: Workspace, store: ProposalStore) -> str:
    """Return how to withdraw the user's published proposals, or "" if there are none."""
    remote, folder = ws.settings["remote"], f"{layout.proposals(ws.settings['branch'])}/"
    there = refs.below(ws.place.common_dir, tracking_ref(remote, folder + store.user))
    names = ", ".join(plain(folder + ref.partition(f"/{folder}")[2]) for ref in sorted(there))
    what = f"{plain(remote)} still has {names}; to withdraw what is yours, delete its branch there"
    return what if names else ""


def _sent_first(ws: Workspace, where: str, tip: str, theirs: str | None, waiting: Waiting) -> Sent:
    """Return what a first push to a remote sends. Raises Declined if an agent runs the command."""
    refuse_first_push(ws, where)
    return sent_by(ws, tip, theirs, waiting.content.after.values())


def _question(waiting: Waiting, sent: Sent, where: str, urls: Sequence[str]) -> str:
    count = counted(len(waiting.ids), "memory")
    return (
        f"{notes(sent)}push a proposal of {count} to {plain(where)} ({display_urls(urls)})?"
        " Everyone with read access to that repository or its forks will be able to read it"
    )


def _result(
    ws: Workspace, waiting: Waiting, where: str, urls: Sequence[str], *, moved: bool
) -> Offered:
    proposal: Proposal = waiting.proposal
    title, text = proposal_text.title(waiting), proposal_text.description(waiting)
    raw = git_line(ws.place.git("config", f"remote.{where}.pushurl"), cwd=ws.place.git_dir)
    raw = raw or git_line(ws.place.git("config", f"remote.{where}.url"), cwd=ws.place.git_dir)
    project = forge.project(urls[0]) or forge.project(raw or "")
    request = forge.Request(base=ws.settings["branch"], head=proposal.name, title=title, text=text)
    return Offered(
        name=proposal.name,
        remote=where,
        url=display_urls(urls),
        commit=proposal.tip,
        moved=moved,
        title=title,
        text=text,
        address=project.compare(ws.settings["branch"], proposal.name) if project else None,
        opened=forge.open_request(project, request) if project else None,
    )
