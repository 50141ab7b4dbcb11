"""Edit files of the user or of other tools: plan, show, back up, write, and revert later."""

import difflib
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import TypeGuard

from git_lerim import private_files
from git_lerim.errors import LerimError, ReadOnly, StoreMoved

_KILLED = 3600  # seconds after which a temporary file counts as left by a killed run
_LARGEST = 16 << 20  # bytes of a configuration file or a hook
BACKUP = ".before-lerim"
EDITED = ".edited-lerim"  # suffix of a copy of our hook with lines that the user added


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedFile:
    """A file to which git-lerim adds its part, with functions that add and remove that part.

    `add` and `strip` are pure functions of the file's bytes, and `add(add(x)) == add(x)`. `strip`
    removes what any version of git-lerim added, and returns a file without such a part unchanged.
    Both raise LerimError for a file that they cannot parse.
    """

    path: Path
    add: Callable[[bytes | None], bytes]  # None: there is no file yet
    strip: Callable[[bytes], bytes | None]  # None: nothing else is left; delete the file
    what: str  # for the user, one line
    mode: int | None = None  # permissions of a new file; None: from the umask
    locked: bool = False  # write it under FILE.lock, as git does its configuration
    is_shown: bool = True  # whether to show the changed lines first; else only `what`
    folders: int = 0  # how many parent folders to delete with it if they become empty
    before: Path | None = None  # of a hook: where the existing one is kept; ours runs it first
    earlier: tuple[bytes, ...] = ()  # of a hook: what earlier versions wrote instead
    is_backed_up: bool = True  # False if `strip` restores every byte and the folder is shared


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """A planned change of one file; `old` or `new` is None where there is no file."""

    file: ManagedFile
    path: Path  # with symbolic links resolved, except for a hook
    old: bytes | None
    new: bytes | None
    removing: bool = False  # whether our part is removed
    restores: bool = False  # whether the backup is put back unchanged

    @property
    def backup(self) -> Path:
        """The path of the file's backup, which may not exist."""
        return self.file.before or backup_of(self.path)

    @property
    def aside(self) -> Path | None:
        """Where to save a hook before the edit drops lines that the user added to it; else None."""
        if not self.file.before or not _holds_ours(self.old, self.file):
            return None
        ours = (self.file.add(None), self.new, *self.file.earlier)
        if {line for text in ours for line in _stripped(text)}.issuperset(_stripped(self.old)):
            return None
        names = (f"{self.path.name}{EDITED}{number}" for number in ("", *range(2, 1000)))
        paths = map(self.path.with_name, names)
        return next(path for path in paths if not os.path.lexists(path) or _is(path, self.old))


def merged(files: Sequence[ManagedFile]) -> list[ManagedFile]:
    """Merge files that have the same path into one ManagedFile, which makes all their changes."""
    by_path: dict[Path, ManagedFile] = {}
    for file in files:
        first = by_path.get(file.path)
        by_path[file.path] = file if first is None else _both(first, file)
    return list(by_path.values())


def _both(first: ManagedFile, second: ManagedFile) -> ManagedFile:
    def strip(data: bytes) -> bytes | None:
        left = first.strip(data)
        return None if left is None else second.strip(left)

    return replace(
        first,
        add=lambda data: second.add(first.add(data)),
        strip=strip,
        what=f"{first.what}; {second.what}",
    )


def backup_of(path: Path) -> Path:
    """Return the path of a file's backup."""
    return path.with_name(path.name + BACKUP)


def read(path: Path) -> bytes | None:
    """Return a file's bytes, or None if it does not exist; raise LerimError if it is unreadable."""
    try:
        return private_files.read_small(path, _LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise LerimError(
            f"{path} cannot be read: {error.strerror}", hint="check the file and its permissions"
        ) from error


def addition(file: ManagedFile) -> FileEdit | None:
    """Return the edit that adds git-lerim's part to a file; None if it is up to date."""
    path = _target(file)
    old = read(path)
    new = file.add(old)
    return None if new == old else FileEdit(file=file, path=path, old=old, new=new)


def removal(file: ManagedFile) -> FileEdit | None:
    """Return the edit that removes git-lerim's part from a file; None if it has no such part.

    If nobody has changed the file since the part was added, it is restored byte for byte.
    """
    path = _target(file)
    old = read(path)
    if not _holds_ours(old, file):
        return None
    if file.before:
        there = os.path.lexists(file.before)
        new = read(file.before) if there else file.strip(old)
        return FileEdit(file=file, path=path, old=old, new=new, removing=True, restores=there)
    before = read(backup_of(path))
    same = before is not None and _added(file, before) == old
    return FileEdit(
        file=file, path=path, old=old, new=before if same else file.strip(old), removing=True
    )


def is_there(file: ManagedFile) -> bool:
    """Return whether a file contains git-lerim's part, of any version. Raises LerimError."""
    return _holds_ours(read(_target(file)), file)


def diff(edit: FileEdit) -> list[str]:
    """Return the lines that an edit changes, prefixed with `+ ` or `- `."""
    old, new = (_lines(data) for data in (edit.old, edit.new))
    is_short = len(old) + len(new) < 2000
    found = difflib.ndiff(old, new) if is_short else difflib.unified_diff(old, new, n=0)
    return [
        line.rstrip("\r\n") for line in found if line[:1] in "+-" and line[:3] not in {"+++", "---"}
    ]


def apply(edit: FileEdit) -> None:
    """Write an edit to disk, unless the file has changed since the edit was planned.

    Raises StoreMoved if the file has changed, or ReadOnly if it cannot be written.
    """
    try:
        with _replacement(edit) as temporary:
            if read(edit.path) != edit.old:
                raise StoreMoved(
                    f"{edit.path} changed in the meantime and was not written", hint="run it again"
                )
            if (aside := edit.aside) and edit.old is not None and not _is(aside, edit.old):
                _write(aside, edit.old, stat.S_IMODE(edit.path.stat().st_mode))
            if edit.removing:
                _remove(edit, temporary)
            else:
                _add(edit, temporary)
    except OSError as error:
        raise ReadOnly(
            f"{edit.path} cannot be written: {error.strerror}",
            hint="check its permissions and the disk",
        ) from error


def _add(edit: FileEdit, temporary: Path) -> None:
    if _holds_ours(edit.old, edit.file):
        pass
    elif edit.file.before:
        if os.path.lexists(edit.path):  # even a dangling link
            _keep_hook(edit.path, edit.file.before)
    elif edit.file.is_backed_up and edit.old is not None and not edit.backup.exists():
        _write(edit.backup, edit.old, stat.S_IMODE(edit.path.stat().st_mode))
    temporary.replace(edit.path)


def _keep_hook(path: Path, before: Path) -> None:
    """Save an existing hook under the name `before`, with its mode; a link stays a link."""
    if os.path.lexists(before):
        if os.path.samestat(path.lstat(), before.lstat()):
            return  # an earlier run was killed after this
        hint = "keep the one you want, move the other one away, and try again"
        raise LerimError(f"{path} was not changed, because {before} exists already", hint=hint)
    try:
        os.link(path, before, follow_symlinks=False)
    except OSError:  # a file system without such links
        path.rename(before)


def _remove(edit: FileEdit, temporary: Path) -> None:
    if edit.restores:
        edit.backup.replace(edit.path)
        return
    if edit.new is None:
        for path in (edit.path, temporary, edit.backup):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # a folder is not empty
            for folder in edit.path.parents[: edit.file.folders]:
                folder.rmdir()
    else:
        temporary.replace(edit.path)
    edit.backup.unlink(missing_ok=True)


def _holds_ours(data: bytes | None, file: ManagedFile) -> TypeGuard[bytes]:
    return data is not None and data != b"" and file.strip(data) != data


@contextmanager
def _replacement(edit: FileEdit) -> Iterator[Path]:
    """Context manager: yield a temporary file with the new bytes; delete it unless it was moved."""
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    name = (
        f"{edit.path.name}.lock"
        if edit.file.locked
        else f".{edit.path.name}.{secrets.token_hex(4)}"
    )
    temporary = edit.path.with_name(name)
    _sweep(edit.path)
    try:
        _write(temporary, edit.new or b"", _mode(edit))
    except FileExistsError as error:
        hint = "wait for the other git process; if none is running, delete the lock file"
        raise StoreMoved(
            f"{temporary} exists: another git process is writing", hint=hint
        ) from error
    try:
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    """Delete temporary files that killed runs left beside a file."""
    with suppress(OSError):
        for left in path.parent.glob(f".{escape(path.name)}.{'[0-9a-f]' * 8}"):
            if left.stat().st_mtime < time.time() - _KILLED:
                left.unlink()


def _mode(edit: FileEdit) -> int | None:
    if edit.old is not None and (edit.removing or edit.file.before is None):
        return stat.S_IMODE(edit.path.stat().st_mode)
    return edit.file.mode


def _write(path: Path, data: bytes, mode: int | None) -> None:
    """Write a new file as a whole, or not at all. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            path.chmod(mode)
    except BaseException:  # such as a full disk
        with suppress(OSError):
            path.unlink()
        raise


def _target(file: ManagedFile) -> Path:
    """Return a file's real path, because dotfiles are often links; a linked hook stays a link."""
    return file.path if file.before else Path(os.path.realpath(file.path))


def _added(file: ManagedFile, before: bytes) -> bytes | None:
    try:
        return file.add(before)
    except LerimError:  # a backup that cannot be parsed any more proves nothing
        return None


def _is(path: Path, data: bytes) -> bool:
    return path.is_file() and read(path) == data


def _stripped(data: bytes | None) -> Iterator[bytes]:
    return map(bytes.strip, (data or b"").splitlines())


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
