"""The last plain listing, kept beside the repository, so that `git lerim list` need not open the store to print it again.

Imports almost nothing: this runs before the command line is even parsed. Whatever is not as it was, or not plain, is left to the
command itself.
"""

import os
import sys
from collections.abc import Iterable

_FORMAT = "git-lerim listing 1"
# What can change which branch is listed, or where the repository is, goes the long way.
_BENDING = ("LERIM_", "GIT_CONFIG", "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_CEILING", "GIT_DISCOVERY")


def printed(words: list[str]) -> int | None:
    """Print the listing and return 0, if that is all that is asked for and it is still true; else return None."""
    if words or any(name.startswith(_BENDING) for name in os.environ):
        return None
    if sys.stdout is None or sys.stdout.encoding.lower() != "utf-8":
        return None  # what cannot be shown is to be escaped
    common = _common_dir(os.getcwd())
    lines = _kept(common) if common else None
    if not lines:
        return None
    if not all(cell.isprintable() for line in lines for cell in line.split("\t")):
        return None  # we wrote no such thing; somebody else did, and it could steer a terminal
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    sys.stdout.write(_styled(lines) if coloured else "\n".join("  ".join(line.split("\t")) for line in lines) + "\n")
    sys.stdout.flush()
    return 0


def keep(common_dir: str, branch: str, tip: str, rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Keep a plain listing: id, day, sort and title of each active memory, newest first, safe to print."""
    if any(_bends(place) for place in _configurations(common_dir)):
        return  # another file could name another branch, and nothing here would change
    path = os.path.join(common_dir, "lerim", "listing")
    lines = [_FORMAT, f"refs/heads/{branch}", tip, *_stamps(common_dir), ""]
    lines += ["\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) for row in rows]
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        os.replace(temporary, path)
    except OSError:
        return  # it is a copy that saves time, no more


def _kept(common: str) -> list[str] | None:
    try:
        with open(os.path.join(common, "lerim", "listing"), encoding="utf-8") as file:
            head, _, body = file.read().partition("\n\n")
            owner = os.fstat(file.fileno()).st_uid
    except (OSError, UnicodeDecodeError):
        return None
    if owner != getattr(os, "geteuid", lambda: owner)():
        return None  # somebody else wrote it, in a repository that git might not even open
    form, ref, tip, *stamps = head.split("\n") if head.count("\n") >= 2 else ("", "", "")
    if form != _FORMAT or tip != _ref(common, ref) or stamps != _stamps(common):
        return None
    return body.split("\n") if body else None


def _styled(lines: list[str]) -> str:
    rows = [line.split("\t") for line in lines]
    return "".join(f"\x1b[33m{id_}\x1b[0m  {day}  {sort}  \x1b[1m{title}\x1b[0m\n" for id_, day, sort, title in rows)


def _stamps(common: str) -> list[str]:
    """Return what changes when git's configuration does: it may name another branch."""
    return [_stamp(place) for place in _configurations(common)]


def _configurations(common: str) -> tuple[str, ...]:
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE") or ""
    xdg = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return (
        os.path.join(common, "config"),
        os.path.join(home, ".gitconfig"),
        os.path.join(xdg, "git", "config"),
        "/etc/gitconfig",
    )


def _bends(path: str) -> bool:
    """Tell whether a configuration leads to other files: those it includes, or one of each worktree."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read().lower()
            return "[include" in text or "worktreeconfig" in text
    except OSError:
        return False


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except OSError:
        return "none"
    return f"{found.st_mtime_ns} {found.st_size} {found.st_ino}"


def _ref(common: str, name: str) -> str | None:
    try:
        with open(os.path.join(common, name), encoding="ascii") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError):
        pass
    try:
        with open(os.path.join(common, "packed-refs"), encoding="utf-8", errors="replace") as file:
            return next((line[:40] for line in file if line.rstrip("\n").endswith(f" {name}")), None)
    except OSError:
        return None


def _common_dir(folder: str) -> str | None:
    """Return the folder that all worktrees of the repository around a folder share."""
    while True:
        dot_git = os.path.join(folder, ".git")
        if os.path.isdir(dot_git):
            return dot_git
        if os.path.isfile(dot_git):
            return _linked(dot_git)
        if os.path.isfile(os.path.join(folder, "HEAD")):
            return None  # a repository without a work tree, perhaps inside another one's
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _linked(dot_git: str) -> str | None:
    try:
        with open(dot_git, encoding="utf-8") as file:
            git_dir = os.path.join(os.path.dirname(dot_git), file.read().removeprefix("gitdir: ").rstrip("\n"))
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as file:
            return os.path.normpath(os.path.join(git_dir, file.read().rstrip("\n")))
    except (OSError, UnicodeDecodeError):
        return None
