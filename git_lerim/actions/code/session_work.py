"""What a session did to the code, and how the code was when the session left it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from git_lerim.actions.code.anchors import content_of
from git_lerim.memories.memory import Anchor
from git_lerim.sessions import touched
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.session import Session
from git_lerim.upkeep.freshness import anchoring
from git_lerim.upkeep.freshness.brought import brought
from git_lerim.upkeep.freshness.returned import carried_out

if TYPE_CHECKING:
    from git_lerim.storage.code import Code  # loads libgit2

_TRIED = 10  # commits that changed the file, since others may have changed it first


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionWork:
    """The files that a session wrote, and the commits that it made."""

    # times in milliseconds, by path in the repository
    writes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    made: tuple[str, ...] = ()  # abbreviated ids


def work_in(session: Session, code: "Code") -> SessionWork:
    """Return what the records of a session say."""
    made = (commit for record in session.records for commit in record.commits)
    return _work(code, touched.written(session.records), made)


def work_of(catalog: Catalog, agent: str, session: str, code: "Code") -> SessionWork:
    """Return what the catalog knows of a session; nothing if it ran on another machine."""
    wrote, made = touched.of_session(catalog.execute, agent, session)
    return _work(code, ((write.path, write.at) for write in wrote), (each.id for each in made))


def _work(
    code: "Code", wrote: Iterable[tuple[str, int | None]], made: Iterable[str]
) -> SessionWork:
    writes: dict[str, list[int]] = {}
    for named, at in wrote:
        path = code.relative(named) if at is not None else None
        if path is not None and at is not None:
            writes.setdefault(path, []).append(at)
    return SessionWork(writes=writes, made=tuple(dict.fromkeys(made)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A look for the state in which a session left the code that a memory is about."""

    code: "Code"
    work: SessionWork
    base: str | None  # the commit that was HEAD when the memory was learned
    branch: str | None
    trap: bool = False  # whether the memory is of a trap, out of which the change led

    def anchors(self, path: str, title: str, body: str) -> list[Anchor]:
        """Return a memory's anchors in a file as the first commit with the session's change has it.

        It is empty if no such commit is known. A commit that the session did not make itself counts
        only if it brought what the memory names, or removed what the memory wants replaced:
        somebody else may have made it. Of a trap, the first commit counts: the code that the memory
        names is often the wrong one.
        """
        found: list[Anchor] = []
        changes = self.code.changes_after(
            path, self.work.writes.get(path, ()), self.branch, self.base
        )
        for (commit, before), _ in zip(changes, range(_TRIED), strict=False):
            file = self._file(path, commit)
            if file is None or file.blob is None:
                continue
            is_own = any(commit.startswith(each) for each in self.work.made)
            content = content_of(self.code, file.blob)
            new = anchoring.anchors_in(content, file, title, body)
            rows = [_rows(each) for each in (content_of(self.code, before), content)]
            if new[0].lines and brought(title, body, *rows):
                return new
            if is_own or (not found and (self.trap or carried_out(title, body, *rows))):
                found = new
        return found

    def _file(self, path: str, commit: str) -> Anchor | None:
        """Return a file that a commit changed, under the name that the commit gave it."""
        blob = self.code.blob_at(commit, path)
        if blob is None and (new := self.code.renamed_to(commit, path)):
            path, blob = new, self.code.blob_at(commit, new)
        return Anchor(path=path, blob=blob, commit=commit) if blob else None


def _rows(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").split("\n")
