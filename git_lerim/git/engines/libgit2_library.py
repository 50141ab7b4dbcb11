"""Import and set up libgit2, which takes longer than most commands take to run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pygit2
from pygit2.enums import ObjectType

from git_lerim.errors import LerimError
from git_lerim.git.engines.git_errors import write_error
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line, plain

# without it, a power failure leaves empty refs and objects, and the user's own `git fetch` fails
pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - the library's own signature
# open partial clones, too: we fetch missing objects before we read them
pygit2.settings.set_extensions(["partialclone"])

# Transfers and git fsck check hashes; checking them on each read would double the time it takes.
pygit2.settings.enable_strict_hash_verification(False)  # noqa: FBT003 as above; git does not either

# libgit2 raises OSError for a lock somebody else holds, and GitError or a subclass for the rest
TROUBLE = (pygit2.GitError, OSError, KeyError, ValueError)
# Flush all objects of a commit at once, before a ref points to it: that takes as long as one.
TOGETHER = hasattr(os, "posix_fadvise")

Commit, Oid, Repository = pygit2.Commit, pygit2.Oid, pygit2.Repository
KINDS = {name: ObjectType[name.upper()] for name in ("commit", "tree", "blob", "tag")}


def open_repository(place: Place) -> pygit2.Repository:
    """Open a repository. Raises LerimError if libgit2 cannot open it."""
    try:
        return pygit2.Repository(str(place.git_dir))
    except TROUBLE as error:
        said = plain(str(error))
        trust = (
            f"if you trust it: git config --global --add safe.directory {plain(str(place.git_dir))}"
        )
        named = git_line(place.git("config", "core.worktree"), cwd=place.git_dir)
        gone = (
            f"its core.worktree is set to {plain(named)}, which may no longer exist"
            if named
            else ""
        )
        raise LerimError(
            f"the repository cannot be opened: {said}", hint=trust if "owned" in said else gone
        ) from error


@contextmanager
def unsynced() -> Iterator[None]:
    """Context manager: write objects without fsync, as the engine flushes all of them at once."""
    pygit2.settings.enable_fsync_gitdir(not TOGETHER)
    try:
        with write_errors():
            yield
    finally:
        pygit2.settings.enable_fsync_gitdir(True)  # noqa: FBT003 - the library's own signature


@contextmanager
def write_errors() -> Iterator[None]:
    """Context manager: translate libgit2's write errors into git-lerim's own errors."""
    try:
        yield
    except TROUBLE as error:
        raise write_error(str(error)) from error
