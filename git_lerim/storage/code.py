"""What memories ask about the code: which commit was HEAD at a time, which file a session meant,
whether it has changed.
"""

from git_lerim.git.history.history import CodeHistory
from git_lerim.git.repo import Place
from git_lerim.sessions.scope import Roots


class Code(CodeHistory):
    """A repository's code, and where it lay when the sessions ran."""

    def __init__(self, place: Place, roots: tuple[str, ...]) -> None:
        """Take the paths of all its work trees, and of the places it had before."""
        super().__init__(place)
        self._roots = Roots(roots)
        self._head: list[str | None] = []

    def file(self, named: str, commit: str | None) -> tuple[str, str] | None:
        """Return path and blob of the file that a session named, as it stood at a commit; else as
        it stands at HEAD.
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
        """Return a file's path below the repository's root; None if it lies outside."""
        return self._roots.relative(named)

    def length(self, blob: str) -> int:
        """Return how many lines a file has."""
        return len(self.objects.blob(blob).splitlines())

    def head(self) -> str | None:
        """Return the commit that is HEAD."""
        if not self._head:
            self._head.append(self.commit_at(1 << 60))
        return self._head[0]
