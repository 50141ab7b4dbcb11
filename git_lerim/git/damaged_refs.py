"""Repair refs that git itself can no longer move, and reflogs that list missing commits."""

import os
import time
from contextlib import suppress
from pathlib import Path

from git_lerim.errors import ReadOnly, StoreMoved
from git_lerim.git import refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place, private_folder
from git_lerim.private_files import LARGE, read_small

_KEPT = 1 << 16  # bytes of a damaged ref


def reset(place: Place, objects: Objects, name: str, good: str | None, who: Identity) -> None:
    """Set a damaged ref to `good`, or remove it if `good` is None; save the old value.

    Removing the ref's file can bring back an older value from packed-refs. Raises StoreMoved or
    ReadOnly.
    """
    held, label = objects.ref(name), f"broken-{name.replace('/', '-')}"
    forget_lost(place, objects, name)
    if held is None and refs.is_broken(place.common_dir, name):
        replace_file(place, name, None, good, label)
    elif held != good:
        set_aside(place, label).write_text(f"{held}\n")
        if good is None:
            objects.remove_ref(name)
        else:
            objects.move_ref(name, good, old=held, message="git-lerim: repair", who=who)


def replace_file(
    place: Place, name: str, held: str | None, good: str | None, label: str = "broken-ref"
) -> Path:
    """Write or remove a ref's file if its value is still `held`; return the backup of the file.

    This is for a ref that git itself cannot move because the ref's file contains no id.
    """
    # like git, lock the ref so that other writers wait
    path = place.common_dir / name
    if refs.is_elsewhere(place.common_dir, path.parent):
        what = f"{name} is corrupted and cannot be repaired: its folder is a link"
        raise ReadOnly(what, hint="use a clone of this repository")
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
        saved = set_aside(place, label)
        saved.write_bytes(_beginning(path) if path.exists() else b"(packed)\n")
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


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_KEPT)


def forget_lost(place: Place, objects: Objects, name: str) -> None:
    """Remove missing commits from a reflog, because git refuses to pack while they are listed."""
    known = {b"0" * 40: True, b"0" * 64: True}
    log = place.common_dir / "logs" / name
    if refs.is_elsewhere(place.common_dir, log):
        return

    def is_there(commit: bytes) -> bool:
        if commit not in known:
            known[commit] = objects.is_complete(commit.decode("ascii", "replace"))
        return known[commit]

    with suppress(OSError):
        lines = read_small(log, LARGE).splitlines(keepends=True)
        kept = [
            line for line in lines if all(is_there(commit) for commit in line.split(b" ", 2)[:2])
        ]
        if kept != lines:
            set_aside(place, "broken-log").write_bytes(b"".join(lines))
            log.write_bytes(b"".join(kept))


def set_aside(place: Place, what: str) -> Path:
    """Create an empty backup file for something that a repair replaces, and return its path."""
    folder = private_folder(place.own_dir)
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    path = folder / f"{what}-{stamp}-{os.urandom(4).hex()}"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return path
