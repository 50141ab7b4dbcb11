"""Push the memory after merging the remote's, without force and without other branches."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.sharing.brought_back import question, question_of_lost, restored_memories
from git_lerim.actions.sharing.fetched import lost_at
from git_lerim.actions.sharing.pull import Pulled, combine, merge_fetched, pull
from git_lerim.actions.sharing.secret_scan import refuse_secrets
from git_lerim.actions.sharing.sent import Sent, notes, sent_by
from git_lerim.errors import LerimError
from git_lerim.git import refs
from git_lerim.git.commits.signing import Signer, is_alone
from git_lerim.git.remote.fetch import fetch_branch
from git_lerim.git.remote.push import Answer, push_branch, wants_signatures
from git_lerim.git.remote.remote_urls import (
    fetch_url,
    push_urls,
    pushed_ref,
    tracking_ref,
    url_key,
    without_password,
)
from git_lerim.git.running.drivers import connecting_programs, transport_settings
from git_lerim.git.running.process import plain, run_git
from git_lerim.storage import open_store
from git_lerim.storage.branch.branch_store import BranchStore
from git_lerim.storage.sharing.remote_holdings import lost_ref
from git_lerim.storage.trust.provenance import own_commits
from git_lerim.workspace import Workspace

ROUNDS = 5  # times to merge and push again when somebody else was faster
_NAMED = 5

# prints a text, whose last line is a question; raises Declined if the answer is no
Ask = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What was pushed to a remote."""

    remote: str
    url: str  # safe to print
    commit: str
    moved: bool  # whether the remote's branch moved
    pulled: Pulled


def push(ws: Workspace, name: str | None, ask: Ask, *, alone: bool = False) -> Pushed:
    """Merge the memory of a remote into ours, and push the result.

    Asks before the first push to each URL, and before restoring what others deleted. Raises Unsafe
    for a secret, Declined, GitFailed, UsageError.
    """
    store = open_store.branch_only(ws, "the memory is part of your branch; to share it: git push")
    name, branch = name or ws.settings["remote"], ws.settings["branch"]
    urls = push_urls(ws.place, name)
    _ask_first(ws, name, urls, ask, alone=alone)
    message, root, pulled, agreed = "", False, None, set[str]()
    for _ in range(ROUNDS):
        pulled, tips = merge_remote(ws, name, urls, pulled, alone=alone)
        if root or ws.settings["sign"] in {"push", "always"}:
            store.sign_unpushed(Signer(ws.place, ws.note, alone=alone or is_alone()), root=root)
        tip = ws.store.tip() or ""
        if set(tips.values()) == {tip}:
            return record_push(ws, urls, tip, pulled, moved=False)
        _refuse_purged(store, name, tip, tips)
        refuse_secrets(ws, tip, common_tip(tips))
        for about, text in _restoring(ws, tip, tips, pulled):
            if about - agreed:
                ask(text)
                agreed |= about
        answer = push_branch(ws.place, name, branch, tip, alone=alone)
        if answer.answer is Answer.TAKEN:
            return record_push(ws, urls, tip, pulled, moved=True)
        message = answer.said
        is_refused = answer.answer is Answer.REFUSED
        if is_refused and (root or ws.settings["sign"] == "never" or not wants_signatures(message)):
            raise rejection(ws, name, branch, message)
        # sign also the first commit, which by default is unsigned and the same in all clones
        root = root or is_refused
    raise LerimError(
        f"{plain(name)} was changed by others {ROUNDS} times during the push: {message}",
        hint="try again later",
    )


def _refuse_purged(store: BranchStore, name: str, tip: str, tips: Mapping[str, str | None]) -> None:
    """Raise LerimError if a push would undo a purge on the remote or in this repository."""
    theirs = [each for each in tips.values() if each]
    if purged := frozenset[str]().union(
        *(store.refused_purges(tip, each, name) for each in theirs)
    ):
        ids = ", ".join(sorted(purged)[:_NAMED])
        raise LerimError(
            f"{plain(name)} has purged memories that you wrote or changed, or that may not have"
            f" come from there ({ids}); nothing was pushed, because that would bring them back",
            hint=f"to delete them here too: git lerim pull {shlex.quote(plain(name))}"
            " --accept-purges",
        )
    if any(store.is_before_purge(each) for each in theirs):
        raise LerimError(
            f"{plain(name)} still has memories that were purged here; nothing was pushed",
            hint="to replace the remote's history with this one (asks first): git lerim purge"
            " --push",
        )


def _restoring(
    ws: Workspace, tip: str, tips: Mapping[str, str | None], pulled: Pulled
) -> Iterator[tuple[set[str], str]]:
    """Yield each question to ask before restoring what others deleted, and what it is about.

    It is about the ids of memories, or about a URL and the commit that was once there.
    """
    name = plain(pulled.remote)
    had = [pulled.had] if pulled.had and pulled.lacking else []
    for lost in lost_at(ws, pulled.remote, had, tips):
        yield {lost.url, lost.had}, question_of_lost(ws, lost)
    if restored := restored_memories(ws, tip, tips.values()):
        yield {memory.id for memory in restored}, question(ws, restored, name)


def _ask_first(ws: Workspace, name: str, urls: Sequence[str], ask: Ask, *, alone: bool) -> None:
    """Ask before the first push to any of these URLs. Raises Declined, LerimError."""
    tip, agreed = ws.store.tip(), was_pushed(ws, urls)
    if tip is not None and agreed:
        return
    # a separate ref, so that `pull` still notices lost commits
    aside = own_commits.THEIRS + url_key(fetch_url(ws.place, name))
    theirs = fetch_branch(ws.place, name, ws.settings["branch"], alone=alone, into=aside)
    tips = tips_at(ws, name, urls, theirs, alone=alone)
    if tip is None and not any((theirs, *tips.values())):
        raise LerimError(
            "there is no memory yet, either here or on the remote",
            hint="git lerim sync creates one",
        )
    if not agreed:
        refuse_first_push(ws, name)
        ask(_question(ws, name, urls, tip, common_tip(tips)))


def refuse_first_push(ws: Workspace, name: str) -> None:
    """Raise Declined if an agent runs this first push to a remote."""
    refuse_agent(ws, f"nothing was pushed to {plain(name)} yet, and a push lets others read it")


def merge_remote(
    ws: Workspace,
    name: str,
    urls: Sequence[str],
    before: Pulled | None = None,
    *,
    alone: bool = False,
) -> tuple[Pulled, dict[str, str | None]]:
    """Merge the memory at the fetch URL and at each push URL into ours.

    Return what was merged, together with the earlier merges in `before`, and the tip at each push
    URL. The tip is None if there is no memory at that URL.
    """
    pulled = combine(before, pull(ws, name, alone=alone))
    tips = tips_at(ws, name, urls, pulled.theirs, alone=alone)
    for theirs in {*tips.values()} - {pulled.theirs, None}:
        pulled = replace(
            combine(pulled, merge_fetched(ws, name, theirs or "")), theirs=pulled.theirs
        )
    return pulled, tips


def tips_at(
    ws: Workspace, name: str, urls: Sequence[str], theirs: str | None, *, alone: bool
) -> dict[str, str | None]:
    """Return the tip of the memory branch at each push URL.

    `theirs` is the tip at the fetch URL, which therefore need not be fetched again.
    """
    home, branch = fetch_url(ws.place, name), ws.settings["branch"]
    return {
        url: (
            theirs
            if url == home
            else fetch_branch(
                ws.place,
                name,
                branch,
                alone=alone,
                at=url,
                into=own_commits.THEIRS + url_key(url),
            )
        )
        for url in urls
    }


def common_tip(tips: Mapping[str, str | None]) -> str | None:
    """Return the tip that all URLs have in common, or None if they differ."""
    return next(iter(tips.values())) if len({*tips.values()}) == 1 else None


def _question(
    ws: Workspace, name: str, urls: Sequence[str], tip: str | None, theirs: str | None
) -> str:
    """Return the question before a first push: what is sent, where, and who can read it."""
    sent = sent_by(ws, tip, theirs) if tip else Sent()
    they = "them" if sent.items else "it"
    programs = connecting_programs(ws.place)  # agreed to before this
    ways = ", ".join(plain(key) for key in transport_settings(ws.place) if key not in programs)
    told = f"this repository's own configuration decides how git connects: {ways}\n" if ways else ""
    return (
        f"{told}{notes(sent)}push {sent.counts or 'all future memories'} to {plain(name)}"
        f" ({display_urls(urls)})? Everyone with read access to that repository or its forks will"
        f" be able to read {they}"
    )


def display_urls(urls: Sequence[str]) -> str:
    """Return URLs without passwords, for display."""
    return ", ".join(map(without_password, urls))


def record_consent(ws: Workspace, urls: Sequence[str], tip: str) -> None:
    """Record that the user agreed to push to these URLs, and clear the last failure.

    The commit `tip` is recorded as pushed.
    """
    failed_file(ws).unlink(missing_ok=True)
    how = transport_settings(ws.place)
    for url in urls:
        ws.consent.allow_push(url, how)
        run_git(ws.place.git("update-ref", pushed_ref(url), tip), cwd=ws.place.git_dir)


def record_push(
    ws: Workspace, urls: Sequence[str], tip: str, pulled: Pulled, *, moved: bool
) -> Pushed:
    """Record a push, and return its result."""
    record_consent(ws, urls, tip)
    for url in urls:
        run_git(ws.place.git("update-ref", lost_ref(url), tip), cwd=ws.place.git_dir)
    return Pushed(
        remote=pulled.remote, url=display_urls(urls), commit=tip, moved=moved, pulled=pulled
    )


def failed_file(ws: Workspace) -> Path:
    """Return the file that says why a background push failed."""
    return ws.folder / "unpushed"


def was_pushed(ws: Workspace, urls: Sequence[str]) -> bool:
    """Return whether the user agreed to push to each of these URLs.

    Consent counts only while the settings for the connection are the same.
    """
    # as the user's own files say, because a repository could contain a forged ref
    how = transport_settings(ws.place)
    return all(ws.consent.allows_push(url, how) for url in urls)


def rejection(
    ws: Workspace, name: str, branch: str, message: str, *, is_proposal: bool = False
) -> LerimError:
    """Return the error to raise when a remote rejects the branch, with advice."""
    if wants_signatures(message):
        hint = "to sign what you push, with your git signing key: git config lerim.sign push"
        if ws.settings["sign"] != "never":
            hint = (
                "the commits are signed; register your signing key there for the address in"
                " user.email"
            )
        return LerimError(f"{plain(name)} requires signed commits: {message}", hint=hint)
    hint = f"ask its owner to allow pushes to {branch}, or set lerim.remote to another remote"
    if "unpack" in message:
        hint = (
            "the remote could not store the data; ask its owner to check disk space and permissions"
        )
    elif not is_proposal and refs.read_ref(ws.place.common_dir, tracking_ref(name, branch)):
        offered = "to propose the changes instead: git lerim review --open"
        hint = (
            f"{offered}; to propose all new memories from now on, set lerim.review=proposal; {hint}"
        )
    return LerimError(f"{plain(name)} refused {branch}: {message}", hint=hint)
