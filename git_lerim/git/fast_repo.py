"""What a glance tells of a repository: some files read and some looked at, no process, and almost
nothing imported.

For the hot paths, which run before the command line is even parsed. What a glance cannot tell is
None: git is to be asked.
"""

import os

# What can change where the repository is, or which configuration counts.
_BENDING = (
    "LERIM_",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_CEILING",
    "GIT_DISCOVERY",
)


def bent() -> dict[str, str]:
    """Return the variables by which this run may see another repository, or other settings, than
    the next one.
    """
    return {name: value for name, value in os.environ.items() if name.startswith(_BENDING)}


def common_dir(folder: str) -> str | None:
    """Return the folder that all worktrees of the repository around a folder share."""
    found = around(folder)
    return found[2] if found else None


def around(folder: str) -> tuple[str, str, str] | None:
    """Return the work tree around a folder, its git directory, and the folder that all worktrees of
    the repository share.
    """
    try:
        device = os.stat(folder).st_dev
        while os.stat(folder).st_dev == device:  # git, too, stops where another file system begins
            dot_git = os.path.join(folder, ".git")
            if os.path.isdir(dot_git):
                return _readable(folder, dot_git, dot_git)
            if os.path.isfile(dot_git):
                git_dir = _linked(dot_git)
                return _readable(folder, git_dir, linked_to(git_dir))
            if os.path.isfile(os.path.join(folder, "HEAD")):
                return None  # a repository without a work tree, perhaps inside another one's
            folder, before = os.path.dirname(folder), folder
            if folder == before:
                return None
    except (OSError, UnicodeDecodeError):
        return None
    return None


def ref(common: str, name: str) -> str | None:
    """Return what a ref holds: an object id, if it is not broken."""
    try:
        with open(os.path.join(common, name), encoding="ascii") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError):
        pass
    try:
        with open(os.path.join(common, "packed-refs"), encoding="utf-8", errors="replace") as file:
            return next(
                (line.partition(" ")[0] for line in file if line.rstrip("\n").endswith(f" {name}")),
                None,
            )
    except OSError:
        return None


def branch(git_dir: str) -> str | None:
    """Return the branch that is checked out; None where HEAD is on none. Raises OSError."""
    with open(os.path.join(git_dir, "HEAD"), encoding="utf-8", errors="replace") as file:
        told = file.read().strip()
    return told.removeprefix("ref: refs/heads/") if told.startswith("ref: refs/heads/") else None


def head(common: str, git_dir: str) -> str:
    """Return the commit that is HEAD; empty where there is none yet. Raises OSError."""
    with open(os.path.join(git_dir, "HEAD"), encoding="utf-8", errors="replace") as file:
        told = file.read().strip()
    if told.startswith("ref: "):
        return ref(common, told.removeprefix("ref: ")) or ""
    return told


def seen(common: str, branch: str, source: str) -> str:
    """Return what is read of a store: the commit of its branch and that of the branch of a remote,
    where they differ.

    `source` is the remote; after a space, where not all of what came is handed out, what that hangs
    on (see `trusted`).
    """
    remote, _, trust = source.partition(" ")
    tip, theirs = (
        ref(common, f"refs/heads/{branch}"),
        ref(common, f"refs/remotes/{remote}/{branch}"),
    )
    stands = (tip or "") if theirs is None or theirs == tip else f"{tip}+{theirs}"
    return f"{stands} {trusted(common, trust)}" if trust and stands else stands


def trusted(common: str, trust: str) -> str:
    """Return what decides, besides the branch, what is handed out: what was accepted, and the files
    that `trust` names.
    """
    return "\t".join([ref(common, "refs/lerim/accepted") or "", *map(stamp, trust.split("\t")[1:])])


def configurations(common: str) -> list[str]:
    """Return the files that git's configuration of a repository stands in, existing or not, but for
    those they include.
    """
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE") or ""
    xdg = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    own = os.environ.get("GIT_CONFIG_GLOBAL")
    users = [own] if own else [os.path.join(home, ".gitconfig"), os.path.join(xdg, "git", "config")]
    return [
        os.path.join(common, "config"),
        *users,
        os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig",
    ]


def leads_on(path: str) -> bool:
    """Tell whether a configuration leads to other files: those it includes, or one of each
    worktree.
    """
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read().lower()
            return "[include" in text or "worktreeconfig" in text
    except OSError:
        return False


def stamp(path: str) -> str:
    """Return what changes when a file does, or what comes into a folder or leaves it."""
    try:
        return stamp_of(os.stat(path))
    except (OSError, ValueError):
        return stamp_of(None)


def stamp_of(found: os.stat_result | None) -> str:
    """Return the stamp of what a look found; None stands for nothing."""
    return (
        f"{found.st_ctime_ns} {found.st_mtime_ns} {found.st_size} {found.st_ino}"
        if found
        else "none"
    )


def _linked(dot_git: str) -> str:
    """Return the git directory that a file leads to."""
    with open(dot_git, encoding="utf-8") as file:
        return os.path.normpath(
            os.path.join(
                os.path.dirname(dot_git), file.read().removeprefix("gitdir: ").rstrip("\n")
            )
        )


def _readable(tree: str, git_dir: str, common: str | None) -> tuple[str, str, str] | None:
    """Return what was found, if its refs can be read at a glance: not those that stand in a
    reftable.
    """
    return (
        None
        if common is None or os.path.isdir(os.path.join(common, "reftable"))
        else (tree, git_dir, common)
    )


def linked_to(git_dir: str) -> str | None:
    """Return the folder that a linked work tree's git directory shares with the others; None if it
    is none's.
    """
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as file:
            return os.path.normpath(os.path.join(git_dir, file.read().rstrip("\n")))
    except (OSError, UnicodeDecodeError):
        return None
