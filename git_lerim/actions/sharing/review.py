"""Review proposals: show what they would change, and accept or reject it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from git_lerim.actions import authorship
from git_lerim.actions.sharing.review_list import Waiting
from git_lerim.actions.sharing.secret_scan import refusal, secrets_in
from git_lerim.actions.sharing.shown_proposals import refuse_unseen
from git_lerim.errors import LerimError, UnknownMemory
from git_lerim.git.commits.identity import IDENT
from git_lerim.git.running.process import plain, run_git
from git_lerim.memories import naming
from git_lerim.storage import layout, open_store
from git_lerim.storage.base import Change, Snapshot, Stored
from git_lerim.storage.review.proposal_changes import Content
from git_lerim.storage.review.proposing import ProposalStore
from git_lerim.storage.trust.accepted import key_of
from git_lerim.tokens import clip, counted
from git_lerim.workspace import Workspace


def own_branch(ws: Workspace) -> str | None:
    """Return the branch of the user's own proposal, even if review is off, or None."""
    return open_store.proposal(ws)[0]


def chosen(waiting: Waiting, prefixes: Iterable[str]) -> list[str]:
    """Return the full ids of a proposal's memories that match prefixes. Raises UnknownMemory."""
    wanted = [prefix.strip().lower() for prefix in prefixes]
    for prefix in wanted:
        if not any(id_.startswith(prefix) for id_ in waiting.ids):
            name = plain(waiting.name)
            raise UnknownMemory(
                f"{name} has no memory left to review whose ID starts with {prefix!a}",
                hint=f"git lerim review show {name} shows those that are left",
            )
    return list(dict.fromkeys(naming.find_id(waiting.ids, prefix) for prefix in wanted))


def accept(ws: Workspace, waiting: Waiting, ids: Collection[str]) -> str | None:
    """Accept memories of a proposal: commit them to the memory branch, and return the commit.

    If the whole proposal is accepted, the commit is a merge. A memory that was withheld stays so,
    because a review shows only what the proposal changes. Raises Unsafe if one of the memories
    contains a secret, UsageError if others have changed one since the user was shown it.
    """
    authorship.refuse_agent(ws, "a proposal may contain instructions to agents")
    store, memory = open_store.reviewing(ws), open_store.on_branch(ws)
    memory.along = None  # commit only the proposal
    _refuse_secrets(ws, waiting, ids)
    whole = set(ids) == set(waiting.ids) and _is_whole(ws, store, waiting)
    ours = store.written_here(waiting.proposal)
    held: set[str] = set()

    def operation(_: Snapshot) -> Change | None:
        content = store.proposed(waiting.proposal, store.reviewed())
        blobs = content.files(ids)
        files = {
            path: None if blob is None else memory.content(blob) for path, blob in blobs.items()
        }
        items = [content.after[id_] for id_ in sorted(ids) if id_ in content.after]
        refuse_unseen(ws, waiting, items)
        held.update(key_of(each.path) for each in memory.waiting())
        theirs = dict.fromkeys((key_of(item.path) for item in items if item.blob not in ours), "")
        return replace(_accepted(waiting, content, items, files, whole=whole), theirs=theirs)

    commit = memory.commit(operation)
    paths = [item.path for id_, item in waiting.content.after.items() if id_ in ids]
    memory.accept([path for path in paths if key_of(path) not in held])
    store.renew()
    return commit


def _accepted(
    waiting: Waiting,
    content: Content,
    items: Sequence[Stored],
    files: dict[str, bytes | None],
    *,
    whole: bool,
) -> Change:
    proposal = waiting.proposal
    who = proposal.who
    rows, trailers = [], []
    for item in items:
        archived, known = layout.is_archived(item.path), item.memory.id in content.before
        rows.append(
            f"{'-' if archived else '~' if known else '+'} {item.memory.id} {item.memory.title}"
        )
        trailers.append(
            (
                "Lerim-Archived" if archived else "Lerim-Changed" if known else "Lerim-Added",
                item.memory.id,
            )
        )
    author = f"{proposal.author} {proposal.authored}".encode("utf-8", "surrogateescape")
    return Change(
        files=files,
        subject=(
            f"review: accept {counted(len(items), 'memory')} of {clip(who.partition(' <')[0], 40)}"
        ),
        body="\n".join(rows),
        trailers=(
            ("Lerim-Op", "share"),
            ("Lerim-Proposal", plain(proposal.name)),
            ("Lerim-Proposed-By", who),
            *trailers,
        ),
        author=author if not whole and IDENT.fullmatch(author) else None,
        merges=proposal.tip if whole else None,
    )


def _is_whole(ws: Workspace, store: ProposalStore, waiting: Waiting) -> bool:
    """Return whether a whole proposal can be merged: all is reviewed, nothing secret or purged."""
    proposal, reviewed = waiting.proposal, store.reviewed()
    everything = reviewed.content(proposal.tip)
    if (
        waiting.content.aside
        or set(everything.after) != set(waiting.content.after)
        or reviewed.base(proposal.tip) is None
    ):
        return False
    output = run_git(
        ws.place.git("rev-list", "--objects", proposal.tip, f"^{reviewed.commit}"),
        cwd=ws.place.git_dir,
    )
    for row in output.decode("utf-8", "surrogateescape").split("\n"):
        blob, _, path = row.partition(" ")
        if naming.valid_path(path):
            purged = reviewed.purge.meets(path, store.content(blob))
            if purged or next(secrets_in(ws, path, blob), None):
                return False
        elif path and not layout.is_folder(path):
            return False
    return True


def _refuse_secrets(ws: Workspace, waiting: Waiting, ids: Collection[str]) -> None:
    items = [item for id_, item in waiting.content.after.items() if id_ in ids]
    found = [place for item in items for place in secrets_in(ws, item.path, item.blob)]
    if found:
        hint = (
            "reject it, or accept the others by ID; if it is not a secret, allow it with"
            " lerim.redactAllow"
        )
        raise refusal("nothing was accepted", found, hint)


def reject(ws: Workspace, waiting: Waiting, ids: Collection[str]) -> None:
    """Reject memories: remove them from the user's own proposal, or note others' as rejected."""
    authorship.refuse_agent(ws, "a proposal may contain instructions to agents")
    store = open_store.reviewing(ws)
    proposal = waiting.proposal
    if not (proposal.own and proposal.name == store.own()):
        store.reject(proposal.tip, waiting.content, ids)
        return
    # its remote branch still exists when the local one is empty
    if fetched := store.fetched(proposal.name):
        store.reject(fetched, waiting.content, ids)
    store.take_out(ids)


def published_on(ws: Workspace, waiting: Waiting) -> str | None:
    """Return the remote that had the user's own proposal at the last fetch or push, or None."""
    name = waiting.proposal.name
    is_there = waiting.proposal.own and open_store.reviewing(ws).fetched(name)
    return plain(ws.settings["remote"]) if is_there else None


def require(waiting: Waiting) -> None:
    """Raise LerimError if a proposal has nothing that can be accepted or rejected."""
    if not waiting.ids:
        raise LerimError(
            f"{plain(waiting.name)} has nothing that can be accepted",
            hint="to see it: git lerim review show",
        )
