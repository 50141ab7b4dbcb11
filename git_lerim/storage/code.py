"""Facts about the user's code that memories need: commits, and files named in sessions."""

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.git.history.history import CodeHistory
from git_lerim.git.repo import Place
from git_lerim.git.repo import head as head_of

if TYPE_CHECKING:
    from git_lerim.sessions.scope import Roots


class Code(CodeHistory):
    """A repository's code, and the paths of its present and former work trees."""

    def __init__(self, place: Place, roots: Callable[[], tuple[str, ...]]) -> None:
        """Initialize; `roots` returns the paths of all work trees, including former ones."""
        super().__init__(place)
        self._paths = roots
        self._head: list[str | None] = []

    def file(self, named: str, commit: str | None) -> tuple[str, str] | None:
        """Return the path and blob of a file that a session names, or None.

        The file is looked up in a commit, or else in HEAD.
        """
        path = self.relative(named)
        if path is None:
            return None
        for at in (commit, self.head()):
            blob = self.blob_at(at, path) if at else None
            if blob:
                return path, blob
        return None

    def relative(self, named: str) -> str | None:
        """Return a file's path relative to the repository, or None if it is outside."""
        return self._roots.relative(named)

    def typed(self, named: str) -> str | None:
        """Return the same as `relative`, for a path typed in the current folder."""
        here = self._place.worktree is not None
        return self.relative(os.path.normpath(Path.cwd() / named) if here else named)

    @cached_property
    def _roots(self) -> "Roots":
        from git_lerim.sessions.scope import Roots  # noqa: PLC0415 readers of memories need none

        return Roots(self._paths())

    def length(self, blob: str) -> int:
        """Return the number of lines in a blob."""
        return len(self.objects.blob(blob).splitlines())

    def head(self) -> str | None:
        """Return the commit of HEAD, or None if there is none yet."""
        if not self._head:
            self._head.append(head_of(self._place))
        return self._head[0]
