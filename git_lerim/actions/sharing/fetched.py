"""Report what the user's own `git fetch` brought: memories that others deleted or changed."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_lerim import private_files
from git_lerim.errors import LerimError, UsageError
from git_lerim.git import own_refs, refs
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.remote.remote_urls import (
    fetch_url,
    push_urls,
    tracking_ref,
    without_password,
)
from git_lerim.git.running.process import git_line, plain
from git_lerim.memories.memory import Status
from git_lerim.storage.base import Stored
from git_lerim.storage.branch import lost_commits
from git_lerim.storage.sharing.remote_holdings import lost_ref
from git_lerim.storage.trust.provenance.own_commits import moved_by_git
from git_lerim.storage.writing import preconditions
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace

if TYPE_CHECKING:
    from git_lerim.storage.branch.branch_store import BranchStore

# file: for each remote, its tip and our own when its fetches were last reported, and its ref
NAME = "named"
_NONE = "-"  # in that file: no fetch was reported yet
_FEW = 5  # memories listed by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What the branch at a push URL has lost."""

    url: str
    place: str  # the remote, with its URL if that is not the fetch URL; safe to print
    had: str  # the commit that it had
    commits: int
    theirs: str | None  # its tip now


def report_fetched(ws: Workspace) -> list[str]:
    """Return lines about what was fetched since the last report, with redacted titles."""
    theirs, tip = _refs(ws)
    was, our_last, *_ = [*_seen(ws), "", ""]
    if theirs == was:
        return []
    if (had := rewound_from(ws)) is not None:  # reported until a pull or push deals with it
        count = lost_commits.count_missing(ws.place, had, theirs or None)
        lost = describe_lost(ws, ws.settings["remote"], count, theirs or None)
        asks = asks_to_restore(ws, ws.settings["remote"])
        return ["; ".join(filter(None, [lost, "git lerim pull keeps here what it had", asks]))]
    if not theirs:
        return []
    lines: list[str] = []
    if tip and theirs != our_last:
        with suppress(LerimError):
            lines = list(_messages(ws, _before(ws, theirs, tip, our_last)))
        # the remote purged memories; nothing of it is read until the next write obeys the purge
        if _store(ws).unjoined == theirs:
            _mark(ws, was or _NONE, our_last or tip)
            return lines
    mark_reported(ws)
    return lines


def report_moved(ws: Workspace) -> list[str]:
    """Return lines about what git alone changed on the branch since the last report."""
    tip, (_, our_last, *_) = _refs(ws)[1], [*_seen(ws), "", ""]
    ref = f"refs/heads/{ws.settings['branch']}"
    if our_last in {"", _NONE, tip} or not moved_by_git(ws.place, ref, our_last):
        return []
    with suppress(LerimError):
        return list(_messages(ws, our_last))
    return []


def rewound_from(ws: Workspace) -> str | None:
    """Return the remote's tip as last reported, if the remote has since lost it without a purge."""
    theirs, tip = _refs(ws)
    was = next(iter(_seen(ws)), _NONE)
    if was in {_NONE, theirs} or not tip:
        return None
    objects = open_objects(ws.place)
    had = _accepted(ws, was) if own_refs.is_here(objects, was) else None
    if had is None or (theirs and objects.descends(theirs, had)):
        return None
    purged = any(_store(ws).is_parted_by_purge(had, other) for other in (tip, theirs) if other)
    return None if purged else had


def known_before(ws: Workspace, name: str) -> list[str]:
    """Return commits that a remote's branch is known to have had and that a merge would accept."""
    branch, common = ws.settings["branch"], ws.place.common_dir
    tips = (refs.read_ref(common, ref) for ref in (tracking_ref(name, branch), lost_ref(name)))
    known = [_accepted(ws, each) for each in tips if each]
    if name == ws.settings["remote"]:
        known.append(rewound_from(ws))  # a plain `git fetch` has rewound the tracking ref
    return list(dict.fromkeys(filter(None, known)))


def had_memory(ws: Workspace, name: str) -> bool:
    """Return whether a remote is known to have had a memory, mergeable or not."""
    ref = tracking_ref(name, ws.settings["branch"])
    return refs.read_ref(ws.place.common_dir, ref) is not None


def _accepted(ws: Workspace, had: str) -> str | None:
    """Return a remote's commit or, if a merge would refuse it, our newest common ancestor.

    Otherwise a bad push would block every later pull, even after the remote was repaired.
    """
    objects, tip, branch = open_objects(ws.place), ws.store.tip(), ws.settings["branch"]
    if tip is None or objects.descends(tip, had):
        return had
    try:
        preconditions.refuse_fetched(objects, objects.tree_of(had), branch)
    except LerimError:
        return git_line(ws.place.git("merge-base", tip, had), cwd=ws.place.git_dir)
    return had


def count_lost(ws: Workspace, had: str, theirs: str | None) -> int:
    """Return how many commits of a former state a remote has lost, except by a purge."""
    count = lost_commits.count_missing(ws.place, had, theirs) if had != theirs else 0
    tip = ws.store.tip() if count else None
    others = [each for each in (tip, theirs) if each]
    if tip is None or any(_store(ws).is_parted_by_purge(had, other) for other in others):
        return 0
    return count


def lost_at(
    ws: Workspace, name: str, had: Sequence[str], tips: Mapping[str, str | None]
) -> Iterator[Lost]:
    """Yield what each push URL has lost: commits that it once had and its tip does not contain.

    `tips` maps push URLs to their tips; `had` are former tips of the fetch URL.
    """
    home = fetch_url(ws.place, name)
    for url, theirs in tips.items():
        pushed = refs.read_ref(ws.place.common_dir, lost_ref(url))
        known = had if url == home else filter(None, [pushed])
        count, was = max(((count_lost(ws, each, theirs), each) for each in known), default=(0, ""))
        place = plain(name) if url == home else f"{plain(name)} ({without_password(url)})"
        if count:
            yield Lost(url=url, place=place, had=was, commits=count, theirs=theirs)


def describe_lost(ws: Workspace, name: str, count: int, theirs: str | None) -> str:
    """Say how many commits of the branch a remote has lost, or that it has no branch any more."""
    branch = ws.settings["branch"]
    what = f"lost {counted(count, 'commit')} of {branch}" if theirs else f"no longer has {branch}"
    return f"{plain(name)} {what}, deleted or rewound by someone"


def asks_to_restore(ws: Workspace, name: str) -> str:
    """Say which push can restore what a remote lost; return "" if its pushes go elsewhere."""
    with suppress(UsageError):  # it is no longer a remote
        if fetch_url(ws.place, name) in push_urls(ws.place, name):
            return f"{push_command(ws, name)} asks to restore it there"
    return ""


def push_command(ws: Workspace, name: str) -> str:
    """Return the command that pushes to a remote."""
    personal = ["--personal"] if ws.personal else []
    remote = [shlex.quote(plain(name))] if name != ws.settings["remote"] else []
    return " ".join(["git lerim push", *personal, *remote])


def _before(ws: Workspace, theirs: str, tip: str, our_last: str) -> str:
    """Return our tip from before the fetched changes were merged, or else the present tip."""
    is_joined = open_objects(ws.place).descends(tip, theirs)
    return our_last if is_joined and our_last else tip


def mark_reported(ws: Workspace) -> None:
    """Mark everything fetched so far as reported."""
    theirs, tip = _refs(ws)
    if tip:
        _mark(ws, theirs or _NONE, tip)


def _mark(ws: Workspace, theirs: str, tip: str) -> None:
    if [theirs, tip] != _seen(ws):
        rows = {**_rows(ws), _ref(ws): [theirs, tip]}
        with suppress(OSError):
            text = "".join(f"{' '.join(words)} {each}\n" for each, words in rows.items())
            private_files.replace(ws.folder / NAME, text)


def _messages(ws: Workspace, before: str) -> Iterator[str]:
    # both are rarely needed
    from git_lerim.actions.mistrust import shown  # noqa: PLC0415
    from git_lerim.storage.branch.lazy_snapshot import new_since  # noqa: PLC0415

    store = _store(ws)
    old, new = store.stood(before), store.snapshot()
    held = {each.path for each in store.waiting()}
    had = {*old.memories, *old.handoffs, *old.summaries}
    withdrawn = new.withdrawn.items()
    gone = [item for id_, item in withdrawn if id_ in had and not new.standing(item)]
    now = [new.memories[id_] for id_ in new_since(old, new)[2] if id_ in new.memories]
    theirs = [item for item in now if store.trust.is_shared(item.path, item.blob)]
    titles = {
        item.memory.id: "" if item.path in held else item.memory.title
        for item, _ in shown(ws)([*gone, *theirs])
    }
    retired = [
        item for item in theirs if _is_in_use(old.memories[item.memory.id]) and not _is_in_use(item)
    ]
    revived = [
        item for item in theirs if _is_in_use(item) and not _is_in_use(old.memories[item.memory.id])
    ]
    changed = [item for item in theirs if item not in retired and item not in revived]
    for what, items, hint in (
        ("someone else deleted", gone, "to restore one: git lerim restore ID"),
        ("someone else archived or superseded", retired, "to restore one: git lerim restore ID"),
        ("someone else took back into use", revived, "to archive one again: git lerim forget ID"),
        ("someone else changed", changed, "to see who: git lerim log ID"),
    ):
        if items:
            listed = "; ".join(
                f"{item.memory.id} {titles.get(item.memory.id, '')}".rstrip()
                for item in items[:_FEW]
            )
            more = f" and {len(items) - _FEW} more" if len(items) > _FEW else ""
            yield f"{what} {counted(len(items), 'memory')}: {listed}{more}; {hint}"


def _is_in_use(item: Stored) -> bool:
    return item.memory.status is Status.ACTIVE


def _store(ws: Workspace) -> "BranchStore":
    from git_lerim.storage import open_store  # noqa: PLC0415 rarely needed

    return open_store.branch_only(ws, "")


def _refs(ws: Workspace) -> tuple[str, str]:
    """Return the remote's tip and our own, each "" if it is missing.

    Both are "" in modes in which a fetch brings no memory.
    """
    if ws.in_tree or ws.proposing or ws.personal:
        return "", ""
    branch, common = ws.settings["branch"], ws.place.common_dir
    theirs = refs.read_ref(common, _ref(ws))
    return theirs or "", refs.read_ref(common, f"refs/heads/{branch}") or ""


def _seen(ws: Workspace) -> list[str]:
    return _rows(ws).get(_ref(ws), [])


def _rows(ws: Workspace) -> dict[str, list[str]]:
    """Return the remote's tip and our own at the last report about each remote, by its ref."""
    try:
        rows = [line.split() for line in private_files.read_text(ws.folder / NAME).split("\n")]
    except OSError:
        return {}
    return {
        ref: tips
        for *tips, ref in filter(None, rows)
        if len(tips) == 2 and all(each == _NONE or refs.OBJECT_ID.fullmatch(each) for each in tips)
    }


def _ref(ws: Workspace) -> str:
    return tracking_ref(ws.settings["remote"], ws.settings["branch"])
