"""Replace a branch with its rewritten history; drop the old history from git-lerim's refs.

Only `refs/lerim/purged/<time>` keeps the old history, until the user deletes it.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from git_lerim.errors import LerimError
from git_lerim.git import own_refs, refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.storage import layout
from git_lerim.storage.base import Change
from git_lerim.storage.branch import recovery
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.history.rewriting import Rewriting
from git_lerim.storage.sharing import tombstones
from git_lerim.storage.sharing.tombstones import Purge
from git_lerim.storage.trust.provenance import own_commits
from git_lerim.storage.writing.message import commit_bytes, compose
from git_lerim.tokens import counted

KEPT = "refs/lerim/purged/"
_OURS = "refs/lerim/"
_PASSING = (f"{layout.TEMPORARY}/", KEPT)
# caches, to be removed and not rewritten: made from what was fetched, they may have what was purged
_CACHES = (layout.JOINED, layout.PENDING, layout.SERVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """The result of a purge of the branch."""

    commit: str  # the branch's new tip
    kept: str | None  # the ref that keeps the old branch, if it was rewritten
    rewritten: int  # rewritten commits of the branch
    rewriting: Rewriting


def with_tombstones(
    objects: Objects, tip: str, purge: Purge, signatures: tuple[bytes, bytes]
) -> str:
    """Add the missing tombstones of a purge to a rewritten history; return its new tip."""
    tree = objects.tree_of(tip)
    new = purge.ids - tombstones.ids_in(objects, tree)
    if not new:
        return tip
    change = Change(
        files={},
        subject=f"purge: {counted(len(new), 'memory')} deleted from the whole history",
        body="A clone that holds the old history drops it when it joins this one.",
        trailers=(("Lerim-Op", "purge"),),
    )
    made = written(objects, tree, tombstones.tombstone_files(objects, purge, sorted(new)))
    return objects.write_commit(commit_bytes(made or tree, [tip], *signatures, compose(change)))


def replace_branch(  # noqa: PLR0913 all that a move of a ref takes
    place: Place,
    objects: Objects,
    branch: str,
    rewriting: Rewriting,
    *,
    move: tuple[str, str],
    message: str,
    who: Identity,
) -> str | None:
    """Move a branch to its rewritten history; return the ref that keeps the old one, or None.

    No such ref is needed if the new tip descends from the old one.
    """
    old, new = move
    kept = None
    if not objects.descends(new, old):
        kept = f"{KEPT}{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{old[:8]}"
        run_git(place.git("update-ref", kept, old), cwd=place.git_dir)
    _mark_theirs(place, rewriting)
    try:
        objects.move_ref(f"refs/heads/{branch}", new, old=old, message=message, who=who)
    except LerimError:
        if kept:
            objects.remove_ref(kept)
        raise
    objects.settle()
    rewrite_own_refs(place, objects, branch, rewriting)
    recovery.move_backup(objects, branch, new, who)
    return kept


def _mark_theirs(place: Place, rewriting: Rewriting) -> None:
    """Record in refs the rewritten commits of remotes, so that they do not count as made here."""
    for name, held in list(_held(place, ["refs/remotes/"])):
        if (new := rewriting.new.get(held, held)) != held:
            run_git(
                place.git(
                    "update-ref", own_commits.THEIRS + name.removeprefix("refs/remotes/"), new
                ),
                cwd=place.git_dir,
            )


def rewrite_own_refs(place: Place, objects: Objects, branch: str, rewriting: Rewriting) -> None:
    """Rewrite git-lerim's own refs and clean their reflogs, so that no old history is left."""
    ours = [f"refs/heads/{branch}"]
    for name, held in _held(place, (_OURS, f"refs/heads/{layout.proposals(branch)}/")):
        if name.startswith(_PASSING):
            continue
        if name in _CACHES:
            objects.remove_ref(name)
            continue
        ours.append(name)
        new = held
        with suppress(LerimError):  # an incomplete history contains nothing readable
            new = rewriting.history(held)
        if own_refs.is_noted(place, name, held):
            own_refs.note(place, name, new)
        if new != held and refs.checked_out(place.common_dir, name, bare=place.bare) is None:
            run_git(
                place.git("update-ref", "--no-deref", name, new, held),
                cwd=place.git_dir,
                check=False,
            )
    objects.settle()
    expire_reflogs(place, [*ours, *_purged_logs(place, objects, branch, rewriting)])


def expire_fetched(place: Place, objects: Objects, branch: str, tip: str) -> None:
    """Remove purged memories from the cache refs and from reflogs of remote-tracking refs.

    This is done after a remote's branch was replaced. The cache refs are simply deleted, because
    searching their history would take longer.
    """
    if purge := tombstones.purge_in(objects, objects.tree_of(tip)):
        for name in (layout.JOINED, layout.PENDING):
            objects.remove_ref(name)
        rewriting = Rewriting(place, objects, purge)
        expire_reflogs(place, _purged_logs(place, objects, branch, rewriting))


def _purged_logs(
    place: Place, objects: Objects, branch: str, rewriting: Rewriting
) -> Iterator[str]:
    """Yield the remote-tracking refs whose reflog, but not the ref, leads to purged memories."""
    common = place.common_dir
    for name in (
        *refs.tracking_refs(common, branch),
        *refs.tracking_below(common, layout.proposals(branch)),
    ):
        logged = sorted({*refs.reflog(common, name)})
        left = [commit for commit in logged if objects.is_whole(commit)]
        with suppress(LerimError):  # an incomplete history contains nothing readable
            if any(rewriting.history(commit) != commit for commit in _apart(place, name, left)):
                yield name


def _apart(place: Place, ref: str, commits: list[str]) -> list[str]:
    """Return the commits that cannot be reached from a ref."""
    if not commits:
        return []
    args = place.git("rev-list", "--ignore-missing", *commits, f"^{ref}")
    apart = set(os.fsdecode(run_git(args, cwd=place.git_dir, check=False)).split())
    return [commit for commit in commits if commit in apart]


def finish_purge(place: Place, objects: Objects, branch: str, tip: str) -> bool:
    """Finish a purge that was killed after it moved the branch; return whether there was one."""
    purge = tombstones.purge_in(objects, objects.tree_of(tip))
    if not purge:
        return False
    rewriting = Rewriting(place, objects, purge)
    held = [
        commit
        for name, commit in _held(place, (_OURS, f"refs/heads/{layout.proposals(branch)}/"))
        if not name.startswith(_PASSING) and name not in _CACHES
    ]
    held += dict.fromkeys(refs.reflog(place.common_dir, f"refs/heads/{branch}"))
    for name in _CACHES:
        if (cached := own_refs.readable(objects, objects.ref(name))) is None:
            continue
        if rewriting.history(cached) != cached:
            objects.remove_ref(name)
    if all(
        rewriting.history(commit) == commit for commit in held if objects.is_whole(commit)
    ) and not any(_purged_logs(place, objects, branch, rewriting)):
        return False
    rewrite_own_refs(place, objects, branch, rewriting)
    return True


def expire_reflogs(place: Place, names: Iterable[str]) -> None:
    """Remove from the reflog of each ref every commit that the ref no longer leads to."""
    logged = [
        name
        for name in names
        if refs.in_table(place.common_dir) or (place.common_dir / "logs" / name).exists()
    ]
    if logged:
        args = place.git("reflog", "expire", "--expire=never", "--expire-unreachable=all", *logged)
        run_git(args, cwd=place.git_dir, check=False)


def kept_refs(place: Place) -> list[str]:
    """Return the local refs that keep the history from before a purge."""
    return [name for name, _ in _held(place, [KEPT])]


def _held(place: Place, prefixes: Iterable[str]) -> Iterator[tuple[str, str]]:
    output = run_git(
        place.git("for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", *prefixes),
        cwd=place.git_dir,
    )
    for line in os.fsdecode(output).split("\n"):
        kind, _, rest = line.partition(" ")
        held, _, name = rest.partition(" ")
        if kind == "commit":
            yield name, held
