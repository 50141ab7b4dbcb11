"""Show what a push would send, without sending it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_lerim.actions.sharing import brought_back, fetched
from git_lerim.actions.sharing.push import common_tip, display_urls, tips_at, was_pushed
from git_lerim.actions.sharing.secret_scan import refuse_secrets
from git_lerim.actions.sharing.sent import Sent, sent_by
from git_lerim.errors import LerimError
from git_lerim.git.commits.ancestry import is_ancestor
from git_lerim.git.remote.fetch import fetch_branch
from git_lerim.git.remote.remote_urls import fetch_url, push_urls, url_key
from git_lerim.git.running.process import plain, run_git
from git_lerim.storage import open_store
from git_lerim.storage.trust.provenance import own_commits
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a push would do."""

    remote: str  # all fields are safe to print
    url: str
    commits: int
    sent: Sent
    joins: bool  # whether the remote has commits to merge first
    asks: bool  # whether the push would ask first
    lost: str = ""  # what the remote lost and the push would restore, after asking
    restored: tuple[str, ...] = ()  # ids of what others deleted and the push would restore
    listing: str = ""  # these by title


def preview(ws: Workspace, name: str | None) -> Preview:
    """Return what a push would send; no branch moves, neither here nor on the remote.

    Raises Unsafe for a secret that would stop the push, GitFailed, LerimError, UsageError.
    """
    open_store.branch_only(ws, "to preview a push of your branch, use git push --dry-run")
    name, tip = name or ws.settings["remote"], ws.store.tip()
    urls = push_urls(ws.place, name)
    if tip is None:
        raise LerimError("there is no memory here yet", hint="to create it: git lerim sync")
    before = fetched.known_before(ws, name)
    # a ref of our own, so that the next pull still notices what came
    aside = own_commits.THEIRS + url_key(fetch_url(ws.place, name))
    theirs = fetch_branch(ws.place, name, ws.settings["branch"], alone=False, into=aside)
    tips = tips_at(ws, name, urls, theirs, alone=False)
    known = common_tip(tips)
    refuse_secrets(ws, tip, known)
    restored = brought_back.restored_memories(ws, tip, tips.values())
    return Preview(
        remote=plain(name),
        url=display_urls(urls),
        commits=_count(ws, tip, known),
        sent=sent_by(ws, tip, known),
        joins=any(each and not is_ancestor(ws.place, each, tip) for each in tips.values()),
        asks=not was_pushed(ws, urls),
        lost=_lost(ws, name, before, tips),
        restored=tuple(memory.id for memory in restored),
        listing=brought_back.listing(ws, restored) if restored else "",
    )


def _lost(ws: Workspace, name: str, before: Sequence[str], tips: Mapping[str, str | None]) -> str:
    lost = fetched.lost_at(ws, name, before, tips)
    return "; ".join(
        fetched.describe_lost(ws, each.place, each.commits, each.theirs) for each in lost
    )


def _count(ws: Workspace, tip: str, known: str | None) -> int:
    without = [f"^{known}"] if known else []
    return int(run_git(ws.place.git("rev-list", "--count", tip, *without), cwd=ws.place.git_dir))
