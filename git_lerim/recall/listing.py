"""The last plain listing, kept beside the repository, so that `git lerim list` need not open the store to print it again.

Imports almost nothing: this runs before the command line is even parsed. Whatever is not as it was, or not plain, is left to the
command itself.
"""

import os
import sys
from collections.abc import Iterable

from git_lerim.git import glance
from git_lerim.recall import at_once

_FORMAT = "git-lerim listing 2"


def printed(words: list[str]) -> int | None:
    """Print the listing and return 0, if that is all that is asked for and it is still true; else return None."""
    if words or glance.bent():
        return None  # another branch may be meant, or another repository
    if not at_once.shows_all(sys.stdout):
        return None
    common = glance.common_dir(os.getcwd())
    lines = _kept(common) if common else None
    if not lines:
        return None
    if not all(cell.isprintable() for line in lines for cell in line.split("\t")):
        return None  # we wrote no such thing; somebody else did, and it could steer a terminal
    plain = "\n".join("  ".join(line.split("\t")) for line in lines) + "\n"
    sys.stdout.write(_styled(lines) if at_once.shows_colours() else plain)
    sys.stdout.flush()
    return 0


def keep(common_dir: str, store: tuple[str, str], seen: str, rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Keep a plain listing: id, day, sort and title of each active memory, newest first, safe to print.

    `store` is the branch and the remote that were read, `seen` their commits as `glance.seen` has them.
    """
    if any(glance.leads_on(place) for place in glance.configurations(common_dir)):
        return  # another file could name another branch, and nothing here would change
    path = os.path.join(common_dir, "lerim", "listing")
    lines = [_FORMAT, " ".join(store), seen, *_stamps(common_dir), ""]
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
    form, store, seen, *stamps = head.split("\n") if head.count("\n") >= 2 else ("", "", "")
    branch, _, remote = store.partition(" ")
    if form != _FORMAT or not seen or seen != glance.seen(common, branch, remote) or stamps != _stamps(common):
        return None
    return body.split("\n") if body else None


def _styled(lines: list[str]) -> str:
    rows = [line.split("\t") for line in lines]
    return "".join(f"\x1b[33m{id_}\x1b[0m  {day}  {sort}  \x1b[1m{title}\x1b[0m\n" for id_, day, sort, title in rows)


def _stamps(common: str) -> list[str]:
    """Return what changes when git's configuration does: it may name another branch."""
    return [glance.stamp(place) for place in glance.configurations(common)]
