"""Repair a branch broken by a crash; nothing is deleted, only moved aside."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from git_lerim.errors import BranchBlocked, Busy, LerimError, ReadOnly, StoreMoved
from git_lerim.git import refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import Place, private_folder
from git_lerim.storage import layout
from git_lerim.storage.trust import accepted
from git_lerim.storage.writing.lock import Lock, writing_file

# seconds to wait for writers
_WRITERS = 10.0
_OURS = b"git-lerim <none>"
STALE = 30.0  # seconds after which an unclaimed lock file is stale


def recover_ref(
    place: Place, objects: Objects, branch: str, tell: Callable[[str], None]
) -> str | None:
    """Return a branch's commit, after resetting a broken branch to its last good one.

    None without a branch. The repair locks out writers: one beside a `git gc --prune=now` packs
    the objects that it prunes.
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
    """Check again, and repair the branch if still broken, while the caller locks out writers."""
    name = f"refs/heads/{branch}"
    held = refs.read_ref(place.common_dir, name)
    good = _good(place, objects, branch, held)
    if good == held and not refs.is_broken(place.common_dir, name):
        return held
    now = f"it was reset to {good[:12]}" if good else "no earlier state was found"
    try:
        saved = _repair(place, objects, name, held, good)
        tell(f"{branch} was corrupted, probably by a crash; {now}. The old contents are in {saved}")
    except (StoreMoved, ReadOnly) as error:  # read on all the same
        tell(f"{branch} is corrupted, probably by a crash, and could not be repaired: {error}")
    if good is not None:
        mend_backup(place, objects, branch, good)
        with suppress(LerimError):
            _mend_records(place, objects)
    return good


def _mend_records(place: Place, objects: Objects) -> None:
    """Repair our other refs, because git refuses to pack while any ref is broken."""
    for name in (layout.JOINED, layout.PENDING, layout.SERVED):
        held = objects.ref(name)
        if held is not None and not _leads_on(objects, held):
            objects.remove_ref(name)
    held = kept = objects.ref(accepted.ACCEPTED)
    while kept is not None and not _leads_on(objects, kept):
        kept = next(iter(objects.parents(kept)), None) if objects.is_whole(kept) else None
    if held is not None and kept != held:  # the branch's reflog replaces lost records
        _forget_lost(place, objects, place.common_dir / "logs" / accepted.ACCEPTED)
        if kept is None:
            objects.remove_ref(accepted.ACCEPTED)
        else:
            objects.move_ref(
                accepted.ACCEPTED,
                kept,
                old=held,
                message="git-lerim: repair",
                who=Identity(_OURS, _OURS),
            )


def _leads_on(objects: Objects, commit: str) -> bool:
    return objects.is_complete(commit) and all(map(objects.is_complete, objects.parents(commit)))


def _good(place: Place, objects: Objects, branch: str, held: str | None) -> str | None:
    """Return the last complete commit of a branch. Raises BranchBlocked if there is none."""
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
    """Return the files that record tips replaced by a repair, unless the branch has them again."""
    found = []
    for path in sorted(place.own_dir.glob("broken-ref-*")):
        held = path.read_text("ascii", "replace").strip()
        if refs.OBJECT_ID.fullmatch(held) and not (tip and objects.descends(tip, held)):
            found.append(path)
    return found


def mend_backup(place: Place, objects: Objects, branch: str, good: str) -> None:
    """Repair a broken backup ref, because git neither fetches nor packs while any ref is broken."""
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
    """Move a branch's backup ref to its new tip; a diverged old backup gets a ref of its own."""
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


def free_stale_locks(place: Place, branch: str, older_than: float = STALE) -> list[Path]:
    """Move aside ref locks of killed processes; return where to. The caller holds the run lock."""
    moved = []
    for name in (f"refs/heads/{branch}", layout.backup_ref(branch)):
        lock = place.common_dir / f"{name}.lock"
        with suppress(OSError):
            if time.time() - lock.stat().st_mtime >= older_than:
                moved.append(lock.replace(_aside(place, "stale-lock")))
    return moved


def sweep(place: Place, objects: Objects, older_than: float = STALE) -> None:
    """Remove the temporary refs and packs of killed processes. The caller holds the run lock."""
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
    _forget_lost(place, objects, place.common_dir / "logs" / name)
    if not refs.in_table(place.common_dir) or held is None or good is None:
        return _replace(place, name, held, good)
    saved = _aside(place, "broken-ref")
    saved.write_text(f"{held}\n")
    objects.move_ref(name, good, old=held, message="git-lerim: repair", who=Identity(_OURS, _OURS))
    return saved


def _replace(place: Place, name: str, held: str | None, good: str | None) -> Path:
    # like git, lock the ref so that other writers wait
    path = place.common_dir / name
    lock = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError as error:
        raise StoreMoved(f"{name} is locked by another process") from error
    except OSError as error:
        raise ReadOnly(
            f"{name} is corrupted and cannot be repaired: {error.strerror}",
            hint="check permissions",
        ) from error
    try:
        if refs.read_ref(place.common_dir, name) != held:
            lock.unlink()
            raise StoreMoved(f"{name} was moved by another process")
        saved = _aside(place, "broken-ref")
        saved.write_bytes(path.read_bytes() if path.exists() else b"(packed)\n")
        os.write(handle, f"{good}\n".encode())
        os.fsync(handle)
    finally:
        os.close(handle)
    if good is None:
        path.unlink()
        lock.unlink()
    else:
        lock.replace(path)
    return saved


def _forget_lost(place: Place, objects: Objects, log: Path) -> None:
    """Remove missing commits from a reflog, because git refuses to pack while it lists them."""
    known = {b"0" * 40: True, b"0" * 64: True}

    def is_there(commit: bytes) -> bool:
        if commit not in known:
            known[commit] = objects.is_complete(commit.decode("ascii", "replace"))
        return known[commit]

    with suppress(OSError):
        lines = log.read_bytes().splitlines(keepends=True)
        kept = [
            line for line in lines if all(is_there(commit) for commit in line.split(b" ", 2)[:2])
        ]
        if kept != lines:
            _aside(place, "broken-log").write_bytes(b"".join(lines))
            log.write_bytes(b"".join(kept))


def _aside(place: Place, what: str) -> Path:
    folder = private_folder(place.own_dir)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    path = folder / f"{what}-{stamp}-{os.urandom(4).hex()}"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return path
