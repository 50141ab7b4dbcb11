"""Repair a memory branch that a crash broke; nothing is deleted, only moved aside."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from git_lerim.errors import BranchBlocked, Busy, LerimError, ReadOnly, StoreMoved
from git_lerim.git import damaged_refs, empty_objects, refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import Place
from git_lerim.private_files import read_text
from git_lerim.storage import layout
from git_lerim.storage.branch import mend_refs, salvage
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.writing.lock import Lock, writing_file
from git_lerim.tokens import counted

# seconds to wait for writers
_WRITERS = 10.0
_OURS = b"git-lerim <none>"
STALE = 30.0  # seconds after which an unclaimed lock file is stale


def recover_ref(
    place: Place, objects: Objects, branch: str, tell: Callable[[str], None]
) -> str | None:
    """Return a branch's commit, after resetting a broken branch to its last good commit.

    Returns None without a branch. Writers are locked out during the repair: while a `git gc
    --prune=now` runs, a missing object may be one that its writer is about to pack.
    """
    name = f"refs/heads/{branch}"
    common = place.common_dir
    held = refs.read_ref(common, name)
    if held is None and not refs.is_broken(common, name):
        return None
    if held is not None and objects.is_partial():
        objects.gather(held)  # the remote has what a partial clone lacks
        if objects.is_complete(held):
            return held
    try:
        with Lock(writing_file(place.own_dir)).acquire(_WRITERS):
            return _recovered(place, open_objects(place), branch, tell)
    except (Busy, ReadOnly):  # read on without repairing
        return _good(place, open_objects(place), branch, refs.read_ref(common, name))


def _recovered(
    place: Place, objects: Objects, branch: str, tell: Callable[[str], None]
) -> str | None:
    """Check the branch again, and repair it if it is still broken.

    The caller locks out writers meanwhile.
    """
    name = f"refs/heads/{branch}"
    held = refs.read_ref(place.common_dir, name)
    good = _good(place, objects, branch, held)
    if good == held and not refs.is_broken(place.common_dir, name):
        return held
    now = f"it was reset to {good[:12]}" if good else "no earlier state was found"
    own = own_by_reflog(place, name)
    try:
        saved = _repair(place, objects, name, held, good)
        if good is not None and held is not None:
            again, good = _redo(objects, name, (good, held), own)
            now += f", and {counted(again, 'later commit')} made again from what is left" * bool(
                again
            )
        tell(f"{branch} was corrupted, probably by a crash; {now}. The old contents are in {saved}")
    except (StoreMoved, ReadOnly) as error:  # read on all the same
        tell(f"{branch} is corrupted, probably by a crash, and could not be repaired: {error}")
    if held is not None:
        empty_objects.clear(place, objects, held)
    if good is not None:
        mend_backup(place, objects, branch, good)
        mend_refs.mend(place, objects, branch, thorough=True)
    return good


def _redo(
    objects: Objects, name: str, ends: tuple[str, str], own: Mapping[str, bool]
) -> tuple[int, str]:
    """Make the commits between the good and the broken end again; return how many, and the last.

    `own` has the commits that were made here: their copies count as made here, too.
    """
    last, count = ends[0], 0
    who = Identity(_OURS, _OURS)
    with suppress(LerimError):  # what is done by then stays
        for one in salvage.redo(objects, *ends):
            said = "redo" if one.known and own.get(one.original) else "repair"
            message = f"git-lerim: {said}"
            objects.move_ref(name, one.commit, old=last, message=message, who=who)
            last, count = one.commit, count + 1
    return count, last


def _good(place: Place, objects: Objects, branch: str, held: str | None) -> str | None:
    """Return the last complete commit of a branch whose ref has the value `held`.

    Raises BranchBlocked if there is none.
    """
    if held is not None and objects.is_complete(held):
        return held
    good = next(
        (
            commit
            for commit in _candidates(place.common_dir, objects, branch)
            if objects.is_complete(commit)
        ),
        None,
    )
    if held is not None and good is None:
        hint = (
            "run git fsck; if the repository borrows objects from another one, that one may be"
            " missing"
        )
        raise BranchBlocked(
            f"{branch} points to {held[:12]}, which is not in the repository", hint=hint
        )
    return good


def set_aside(place: Place, objects: Objects, tip: str | None) -> list[Path]:
    """Return the files in which repairs saved those former tips that the branch still lacks."""
    found = []
    for path in sorted(place.own_dir.glob("broken-ref-*")):
        held = ""
        with suppress(OSError):
            held = read_text(path).strip()
        if refs.OBJECT_ID.fullmatch(held) and not (tip and objects.descends(tip, held)):
            found.append(path)
    return found


def mend_backup(place: Place, objects: Objects, branch: str, good: str) -> None:
    """Repair a broken backup ref of the branch.

    Git neither fetches nor packs while any ref is broken.
    """
    name = layout.backup_ref(branch)
    held = objects.ref(name)
    lost = (
        held not in {None, good}
        and not objects.is_partial()
        and not objects.is_complete(held or "")
    )
    if lost or refs.is_broken(place.common_dir, name):
        with suppress(LerimError):  # retried by the next run with the lock
            _repair(place, objects, name, held or refs.read_ref(place.common_dir, name), good)


def move_backup(objects: Objects, branch: str, commit: str, who: Identity) -> None:
    """Move a branch's backup ref to the branch's new tip.

    If the old backup has diverged from the branch, it is kept in a separate ref.
    """
    name = layout.backup_ref(branch)
    # the branch has moved, which is what counts; the next commit retries
    with suppress(LerimError):
        old = objects.ref(name)
        apart = (
            old is not None
            and not objects.descends(commit, old)
            and not objects.descends(old, commit)
        )
        if old is not None and apart and objects.is_complete(old):
            objects.move_ref(
                f"{name}-{old[:12]}", old, old=None, message="git-lerim: keep", who=who
            )
        if old is None or not objects.descends(old, commit):
            objects.move_ref(name, commit, old=old, message="git-lerim: follow", who=who)


def retire_backup(objects: Objects, branch: str, commit: str, who: Identity) -> None:
    """Keep a branch's last commit in a ref of its own, so that the branch does not count as lost.

    To be called when git-lerim itself is about to delete the branch.
    """
    name = layout.backup_ref(branch)
    with suppress(LerimError):  # else the branch counts as lost, though nobody misses it
        apart = f"{name}-{commit[:12]}"
        if objects.ref(apart) != commit:
            objects.move_ref(apart, commit, old=None, message="git-lerim: keep", who=who)
        objects.remove_ref(name)


def free_stale_locks(
    place: Place, branch: str, older_than: float = STALE
) -> list[tuple[str, Path]]:
    """Move aside the locks on our refs that killed processes left; return each ref and new path.

    The caller must have the run lock.
    """
    common = place.common_dir
    locks = [common / f"refs/heads/{branch}.lock"]
    for folder in ("refs/lerim", f"refs/heads/{layout.proposals(branch)}"):
        locks += sorted((common / folder).rglob("*.lock"))
    moved = []
    for lock in locks:
        with suppress(OSError):
            if time.time() - lock.stat().st_mtime >= older_than:
                name = lock.relative_to(common).as_posix().removesuffix(".lock")
                moved.append((name, lock.replace(damaged_refs.set_aside(place, "stale-lock"))))
    return moved


def sweep(place: Place, objects: Objects, older_than: float = STALE) -> None:
    """Remove the temporary refs and packs that killed processes left.

    The caller must have the run lock.
    """
    # readers never sweep
    from git_lerim.git.engines.pack_writer import free_packs  # noqa: PLC0415

    free_packs(place)
    for name, maker in (
        refs.refs_of_processes(place.common_dir, layout.TEMPORARY)
        if refs.in_table(place.common_dir)
        else ()
    ):
        with suppress(LerimError):
            if not refs.is_running(maker):
                objects.remove_ref(name)
    for path in (place.common_dir / layout.TEMPORARY).glob("*"):
        with suppress(OSError, LerimError):
            if time.time() - path.stat().st_mtime >= older_than:
                objects.remove_ref(f"{layout.TEMPORARY}/{path.name}")


def _candidates(common: Path, objects: Objects, branch: str) -> Iterator[str]:
    backup = objects.ref(layout.backup_ref(branch))
    logged = next(
        (c for c in refs.reflog(common, f"refs/heads/{branch}") if objects.is_complete(c)), None
    )
    # a power failure can truncate a reflog, which is never fsynced
    if backup is not None and (logged is None or objects.descends(backup, logged)):
        yield backup
    if logged is not None:
        yield logged
    for name in refs.tracking_refs(common, branch):
        held = objects.ref(name)
        if held is not None:
            yield held


def _repair(place: Place, objects: Objects, name: str, held: str | None, good: str | None) -> Path:
    damaged_refs.forget_lost(place, objects, name)
    if not refs.in_table(place.common_dir) or held is None or good is None:
        return damaged_refs.replace_file(place, name, held, good)
    saved = damaged_refs.set_aside(place, "broken-ref")
    saved.write_text(f"{held}\n")
    objects.move_ref(name, good, old=held, message="git-lerim: repair", who=Identity(_OURS, _OURS))
    return saved
