"""Write several files into a user's folder, crash-safe and without overwriting concurrent edits.

New files are first written beside the old ones; then a journal lists the moves; then each file is
moved into place. The next process finishes the moves of a journal that was left behind.
"""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from git_lerim.errors import BranchBlocked, LerimError, ReadOnly, StoreMoved
from git_lerim.git.repo import private_folder
from git_lerim.git.running.process import plain
from git_lerim.git.worktree.worktree_snapshot import TEMPORARY, refuse_large
from git_lerim.private_files import read_json


@dataclass(frozen=True, slots=True)
class Target:
    """The folder to write files to, with its journal."""

    top: Path  # the folder
    note: Path  # the journal
    head: str  # changes when the user switches branches
    name_of: Callable[[bytes], str]  # returns the id of a file's content


@dataclass(frozen=True, slots=True)
class Move:
    """One file to move into place, or to delete."""

    path: str  # relative to the folder
    temporary: str | None  # None: delete
    expected: str | None  # id of the current content; None: no file


def place(target: Target, files: Mapping[str, bytes | None], expected: Mapping[str, str]) -> None:
    """Write files into a folder if their current contents are as expected.

    Raises StoreMoved or ReadOnly.
    """
    top, note, head = target.top, target.note, target.head
    with _writing(top):
        moves = list(_prepared(top, files, expected))
        try:
            for move in moves:
                _refuse_changed(target, move)
            private_folder(note.parent)
            _write(
                note,
                json.dumps(
                    {"head": head, "moves": [[m.path, m.temporary, m.expected] for m in moves]}
                ).encode(),
                0o600,
            )
        except (LerimError, OSError):
            sweep(top)
            raise
        try:
            for move in moves:
                _carry_out(target, move)
        finally:
            note.unlink(missing_ok=True)
            sweep(top)


def finish(target: Target) -> int:
    """Finish the work of a killed run; return the number of files written.

    Files that the user has edited since stay as they are. So do all files if the user has switched
    to another branch.
    """
    top, note, head = target.top, target.note, target.head
    try:
        told = read_json(note)
        moves = [_noted(*row) for row in told["moves"]]
        is_here = told["head"] == head
    except FileNotFoundError:
        return 0
    except (OSError, ValueError, KeyError, TypeError):
        moves, is_here = [], False
    done = 0
    with _writing(top):
        for move in moves if is_here else ():
            with suppress(StoreMoved, BranchBlocked):
                folder_of(top, move.path)
                done += _is_within(move) and _carry_out(target, move)
        note.unlink(missing_ok=True)
        sweep(top)
    return done


def _noted(path: object, temporary: object, expected: object) -> Move:
    """Parse a move in the journal. Raises TypeError if it is damaged."""
    if (
        isinstance(path, str)
        and isinstance(temporary, str | None)
        and isinstance(expected, str | None)
    ):
        return Move(path, temporary, expected)
    raise TypeError("a move in the journal is damaged")


def sweep(top: Path) -> None:
    """Remove the temporary files that git-lerim left in a folder."""
    for left in top.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            left.unlink()


def folder_of(top: Path, path: str, *, making: bool = False) -> Path:
    """Return the folder of a file in the store. Raises BranchBlocked if it is a symbolic link."""
    here = top
    for step in ("", *path.split("/")[:-1]):
        here = here / step
        if here.is_symlink():
            hint = "memories are written only to real folders; replace the link with a folder"
            raise BranchBlocked(
                f"{plain(str(here))} is a symbolic link; nothing was written", hint=hint
            )
        if making:
            here.mkdir(parents=True, exist_ok=True)
    return here


def _is_within(move: Move) -> bool:
    """Return whether a move in the journal, which may be forged, stays in the folder."""
    name = move.temporary
    return not {"", ".", ".."} & set(move.path.split("/")) and (
        name is None or (name.startswith(TEMPORARY) and "/" not in name)
    )


def _prepared(
    top: Path, files: Mapping[str, bytes | None], expected: Mapping[str, str]
) -> Iterator[Move]:
    """Write the new files beside the old ones; yield the moves, deletions last."""
    for path, data in sorted(files.items(), key=lambda item: (item[1] is None, item[0])):
        temporary = None
        if data is not None:
            folder_of(top, path, making=True)
            temporary = f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(4)}"
            _write(top / temporary, data, 0o666)  # git's mode for files of a work tree
        elif not os.path.lexists(folder_of(top, path) / path.rpartition("/")[2]):
            continue
        yield Move(path, temporary, expected.get(path))


def _write(path: Path, data: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with suppress(FileNotFoundError):
        path.unlink()
    with os.fdopen(os.open(path, flags, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _refuse_changed(target: Target, move: Move) -> None:
    path = target.top / move.path
    found = None
    if path.is_file():
        refuse_large(move.path, path.stat().st_size)
        found = target.name_of(path.read_bytes())
    if found != move.expected or path.is_symlink():
        raise StoreMoved(f"{plain(move.path)} was changed in the meantime", hint="try again")


def _carry_out(target: Target, move: Move) -> bool:
    top, path = target.top, target.top / move.path
    if move.temporary is None:
        if move.expected is None or not os.path.lexists(path):
            return False
        _refuse_changed(target, move)
        path.unlink()
        _leave(top, path.parent)
        return True
    source = top / move.temporary
    if not os.path.lexists(source):
        return False  # already moved
    if move.expected is None:
        _put_new(source, path)
    else:
        _refuse_changed(target, move)
        source.chmod(path.stat().st_mode & 0o777)
        source.replace(path)
    return True


def _put_new(source: Path, path: Path) -> None:
    """Move a file to an unused path, without overwriting a file created there meanwhile."""
    try:
        os.link(source, path, follow_symlinks=False)
    except FileExistsError as error:
        raise StoreMoved(
            f"{plain(str(path))} was created in the meantime", hint="try again"
        ) from error
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise StoreMoved(
                f"{plain(str(path))} was created in the meantime", hint="try again"
            ) from None
        source.replace(path)
    else:
        source.unlink()


def _leave(top: Path, folder: Path) -> None:
    """Remove a folder and those above it as long as they are empty, as git does."""
    while folder != top:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


@contextmanager
def _writing(top: Path) -> Iterator[None]:
    """Turn an OSError in the `with` block into ReadOnly."""
    try:
        yield
    except OSError as error:
        where = (
            plain(os.fsdecode(error.filename))
            if isinstance(error.filename, str | bytes)
            else plain(str(top))
        )
        hint = "check its permissions and free disk space"
        raise ReadOnly(f"{where} cannot be written: {error.strerror}", hint=hint) from error
