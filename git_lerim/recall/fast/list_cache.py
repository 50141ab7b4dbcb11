"""Fast path for `git lerim list` without filters: print the cached listing.

The store is not even opened. This module imports little, because it runs before the command line is
parsed. Anything unexpected is left to the command itself.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence

from git_lerim import private_files
from git_lerim.git import fast_repo
from git_lerim.recall.fast import fast_options
from git_lerim.recall.local import cache_files

_FORMAT = "git-lerim listing 5"


def run(words: list[str]) -> int | None:
    """Print the cached listing and return 0, or return None if the command itself must run."""
    asked = fast_options.options(words, ("--no-pager",), ("--color",))
    if asked is None or not fast_options.shows_all(sys.stdout):
        return None
    lines = _listing()
    if not lines:
        return None
    if not all(cell.isprintable() for line in lines for cell in line.split("\t")):
        return None  # not written by us, and it could control the terminal
    plain = "\n".join("  ".join(line.split("\t")) for line in lines) + "\n"
    fast_options.show(_styled(lines) if fast_options.is_coloured(asked) else plain, asked)
    return 0


def titles() -> list[tuple[str, str]] | None:
    """Return the id and title of each active memory if the cached listing is valid; else None."""
    lines = _listing()
    return (
        [(cells[0], cells[3]) for cells in (line.split("\t") for line in lines)] if lines else None
    )


def keep(
    places: tuple[str, str], store: tuple[str, str], seen: str, rows: Iterable[tuple[str, ...]]
) -> None:
    """Cache the listing that `run` prints: one row for each active memory, newest first.

    A row consists of id, day, kind, title and, if there are any, marks; all must be safe to print.
    `places` are the common folder and the git directory of the work tree; `store` is the branch and
    the remote that were read, `seen` their commits as `fast_repo.store_key` returns them.
    """
    lines = ["\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) for row in rows]
    keep_text(_FORMAT, places, (store, seen), "\n".join(lines))


def keep_text(
    form: str,
    places: tuple[str, str],
    read: tuple[tuple[str, str], str],
    text: str,
    more: Sequence[str] = (),
) -> None:
    """Cache a text, together with everything on which it depends, for `kept_text`.

    `form` is a line such as `git-lerim listing 4`, with the name of the cache file and the version
    of its format. `places` is as for `keep`, and `read` is the pair of `store` and `seen` that
    `keep` takes. `more` lists whatever else the text depends on, one line each. If git's
    configuration includes other files, or variables change it, nothing is cached.
    """
    common_dir, (store, seen) = places[0], read
    files = fast_repo.config_files(common_dir)
    if fast_repo.redirecting_variables() or any(map(fast_repo.has_includes, files)):
        return  # an included file or a variable could name another branch without notice
    try:
        head = [form, " ".join(store), seen, _head(*places), *_stamps(common_dir), *more, "", text]
    except OSError:
        return
    cache_files.replace(_path(common_dir, form), "\n".join(head))


def kept_text(form: str, more: Callable[[str], Sequence[str]] = lambda _: ()) -> str | None:
    """Return the text cached in the format `form`, or None if it is missing or outdated.

    `more` is called with the common folder. If the lines that it returns differ from those that
    `keep_text` was given as `more`, the text is outdated.
    """
    if fast_repo.redirecting_variables():
        return None  # the environment may select another branch or repository
    around = fast_repo.find_repo(os.getcwd())
    return _kept(form, around[2], around[1], more(around[2])) if around else None


def _listing() -> list[str] | None:
    text = kept_text(_FORMAT)
    return text.split("\n") if text else None


def _path(common: str, form: str) -> str:
    return os.path.join(common, "lerim", form.split(" ")[1])


def drop(common_dir: str) -> None:
    """Delete the cached listing, because its marks of stale memories are outdated."""
    with contextlib.suppress(OSError):
        os.unlink(_path(common_dir, _FORMAT))


def _head(common: str, git_dir: str) -> str:
    """Return a line with HEAD's commit and branch, which decide what is stale or hidden."""
    return f"code {fast_repo.head(common, git_dir)} {fast_repo.branch(git_dir) or ''}"


def _kept(form: str, common: str, git_dir: str, more: Sequence[str]) -> str | None:
    try:
        # another user's file can lie in a repository that git might refuse to open
        text = private_files.read_small(_path(common, form), private_files.OURS, own=True).decode()
        now = _head(common, git_dir)
    except (OSError, UnicodeDecodeError):
        return None
    head, _, body = text.partition("\n\n")
    written, store, seen, code, *stamps = (
        head.split("\n") if head.count("\n") >= 3 else ("", "", "", "")
    )
    branch, _, remote = store.partition(" ")
    if (
        written != form
        or not seen
        or seen != fast_repo.store_key(common, branch, remote)
        or [code, *stamps] != [now, *_stamps(common), *more]
    ):
        return None
    return body


def _styled(lines: list[str]) -> str:
    rows = (line.split("\t") for line in lines)
    cells = (
        [f"\x1b[33m{id_}\x1b[0m", day, sort, f"\x1b[1m{title}\x1b[0m", *mark]
        for id_, day, sort, title, *mark in rows
    )
    return "".join("  ".join(row) + "\n" for row in cells)


def _stamps(common: str) -> list[str]:
    """Return the stamps of git's configuration files, where the memory branch is set."""
    return [fast_repo.stamp(place) for place in fast_repo.config_files(common)]
