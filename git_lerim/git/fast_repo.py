"""Find a repository and read its refs fast: few file reads, no process, few imports.

This is for hot paths that run before the command line is parsed. A result of None means that git
must be asked instead.
"""

import errno
import os

from git_lerim.git.endless_files import endless_file
from git_lerim.private_files import LARGE, read_small, read_text

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from pathlib import Path

# Variables that can select another repository or other configuration.
_BENDING = (
    "LERIM_",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_CEILING",
    "GIT_DISCOVERY",
)


def redirecting_variables() -> dict[str, str]:
    """Return the environment variables that can select another repository or settings."""
    return {name: value for name, value in os.environ.items() if name.startswith(_BENDING)}


def common_dir(folder: str) -> str | None:
    """Return the git common directory of the repository around a folder, or None."""
    found = find_repo(folder)
    return found[2] if found else None


def find_repo(folder: str) -> tuple[str, str, str] | None:
    """Return the work tree around a folder, its git directory and its common directory, or None.

    The result is None for a repository that only git itself can read.
    """
    try:
        found = located(folder)
        return found if found and _is_readable(*found) and not endless_file(*found) else None
    except (OSError, ValueError):
        return None


def located(folder: str) -> tuple[str, str, str] | None:
    """Return the same three folders as `find_repo`, even if only git can read the repository.

    For a bare repository, all three are its own folder.
    """
    try:
        device = os.stat(folder).st_dev
        while os.stat(folder).st_dev == device:  # like git, stop at a file system boundary
            dot_git = os.path.join(folder, ".git")
            if os.path.isdir(dot_git):
                return folder, dot_git, dot_git
            if os.path.isfile(dot_git):
                git_dir = _linked(dot_git)
                common = linked_to(git_dir)
                return (folder, git_dir, common) if common else None
            if os.path.isfile(os.path.join(folder, "HEAD")):
                return folder, folder, folder  # perhaps inside another repository's work tree
            folder, before = os.path.dirname(folder), folder
            if folder == before:
                return None
    except (OSError, ValueError):  # ValueError: no system takes such a path
        return None
    return None


def has_dot_git(start: "Path") -> bool:
    """Return whether a folder or a parent has a `.git`, even a broken one."""
    folder = start.absolute()
    return any(os.path.lexists(each / ".git") for each in (folder, *folder.parents))


def ref(common: str, name: str) -> str | None:
    """Return the content of a ref (usually an object id), or None if it cannot be read."""
    try:
        return read_small(os.path.join(common, name)).decode("ascii").strip()
    except UnicodeDecodeError:
        pass
    except OSError as error:
        if error.errno == errno.EFBIG:
            return None  # damaged, whatever was packed
    try:
        packed = read_text(os.path.join(common, "packed-refs"), LARGE)
    except OSError:
        return None
    before, found, _ = packed.partition(f" {name}\n")
    return before.rpartition("\n")[2] if found else None


def branch(git_dir: str) -> str | None:
    """Return the branch that is checked out, or None if HEAD is detached. Raises OSError."""
    told = read_text(os.path.join(git_dir, "HEAD")).strip()
    return told.removeprefix("ref: refs/heads/") if told.startswith("ref: refs/heads/") else None


def head(common: str, git_dir: str) -> str:
    """Return the commit of HEAD, or an empty string before the first commit. Raises OSError."""
    told = read_text(os.path.join(git_dir, "HEAD")).strip()
    if told.startswith("ref: "):
        return ref(common, told.removeprefix("ref: ")) or ""
    return told


def store_key(common: str, branch: str, source: str) -> str:
    """Return a key for the state of a store: the commits of its local and remote branch.

    `source` is the remote's name. If `lerim.trust` limits which memories count, `source` also has,
    after a space, the argument for `trusted`, so that the key changes when trust does.
    """
    remote, _, trust = source.partition(" ")
    tip, theirs = (
        ref(common, f"refs/heads/{branch}"),
        ref(common, f"refs/remotes/{remote}/{branch}"),
    )
    stands = (tip or "") if theirs is None or theirs == tip else f"{tip}+{theirs}"
    return f"{stands} {trusted(common, trust)}" if trust and stands else stands


def trusted(common: str, trust: str) -> str:
    """Return a key that changes whenever more or fewer memories may have become trusted.

    It depends on `refs/lerim/accepted` and on the files that `trust` lists.
    """
    return "\t".join([ref(common, "refs/lerim/accepted") or "", *map(stamp, trust.split("\t")[1:])])


def config_files(common: str) -> list[str]:
    """Return the paths of git's configuration files, existing or not, without included ones."""
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE") or ""
    xdg = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    own = os.environ.get("GIT_CONFIG_GLOBAL")
    users = [own] if own else [os.path.join(home, ".gitconfig"), os.path.join(xdg, "git", "config")]
    return [
        os.path.join(common, "config"),
        *users,
        os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig",
    ]


def has_includes(path: str) -> bool:
    """Return whether a configuration file uses includes or per-worktree settings."""
    try:
        text = read_text(path, LARGE).lower()
    except OSError:
        return False
    return "[include" in text or "worktreeconfig" in text


def stamp(path: str) -> str:
    """Return a string that changes when a file, or the list of a folder's entries, changes."""
    try:
        return stamp_of(os.stat(path))
    except (OSError, ValueError):
        return stamp_of(None)


def stamp_of(found: os.stat_result | None) -> str:
    """Return the stamp for a stat result, or for a missing file (None)."""
    return (
        f"{found.st_ctime_ns} {found.st_mtime_ns} {found.st_size} {found.st_ino}"
        if found
        else "none"
    )


def _linked(dot_git: str) -> str:
    """Return the git directory that a `.git` file points to."""
    link = read_small(dot_git).decode().removeprefix("gitdir: ").rstrip("\n")
    return os.path.normpath(os.path.join(os.path.dirname(dot_git), link))


def _is_readable(tree: str, git_dir: str, common: str) -> bool:
    """Return whether a repository can be read without git.

    Git is not needed if refs are in files, git-lerim's folder has no strange entry, and there is a
    configuration file. The stamp of that file ties the caches to this very folder: in a copy
    unpacked from an archive it differs.
    """
    return (
        tree != git_dir
        and not os.path.isdir(os.path.join(common, "reftable"))
        and os.path.isfile(os.path.join(common, "config"))
        and not strange_entry(common)
    )


# git writes a line to the log of each ref that we move
_OURS = ("lerim", "refs/lerim", "logs/refs/lerim", "refs/heads/lerim", "logs/refs/heads/lerim")
_FETCHED = ("refs/remotes", "logs/refs/remotes")


def strange_entry(common: str, depth: int = 2) -> str:
    """Return a path in git-lerim's folders that git-lerim never creates, or an empty string.

    A link there would let git-lerim write or delete elsewhere, and a pipe would block it. Both can
    only be in a repository unpacked from an archive. Folders are searched `depth` levels deep.
    Raises OSError.
    """
    for name in _OURS:
        folder = os.path.join(common, name)
        if found := folder if os.path.islink(folder) else _strange_in(folder, depth):
            return found
    return _strange_remote(common, depth) or _strange_worktree(common)


def _strange_remote(common: str, depth: int) -> str:
    """Return a path among the memory's remote-tracking refs that no fetch creates, or ""."""
    for name in _FETCHED:
        top = os.path.join(common, name)
        for remote in os.listdir(top) if os.path.isdir(top) else ():
            folder = os.path.join(top, remote, "lerim")
            if found := folder if os.path.islink(folder) else _strange_in(folder, depth):
                return found
    return ""


def _strange_worktree(common: str) -> str:
    """Return a git file of a linked work tree that is not a regular file, or "".

    If it is a pipe, reading it would block.
    """
    top = os.path.join(common, "worktrees")
    for worktree in os.listdir(top) if os.path.isdir(top) else ():
        for name in ("gitdir", "commondir", "HEAD"):
            path = os.path.join(top, worktree, name)
            if os.path.lexists(path) and not os.path.isfile(path):
                return path
    return ""


def _strange_in(folder: str, depth: int) -> str:
    if not depth or not os.path.isdir(folder):
        return ""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if found := _strange_in(entry.path, depth - 1):
                    return found
            elif not entry.is_file(follow_symlinks=False) and os.path.lexists(entry.path):
                return entry.path
    return ""


def linked_to(git_dir: str) -> str | None:
    """Return the common directory of a linked work tree's git directory, or None."""
    try:
        link = read_small(os.path.join(git_dir, "commondir")).decode().rstrip("\n")
        return os.path.normpath(os.path.join(git_dir, link))
    except (OSError, UnicodeDecodeError):
        return None
