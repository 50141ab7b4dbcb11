"""Find the memories that do not apply at a commit; used when the answer is not cached."""

import contextlib
import sqlite3
from collections.abc import Iterator

import msgspec

from git_lerim.actions.code.freshness import of_documents
from git_lerim.database import transaction
from git_lerim.errors import GitFailed, LerimError
from git_lerim.memories.memory import Anchor
from git_lerim.recall.index.index import Index
from git_lerim.recall.index.index_reader import Document
from git_lerim.upkeep.visibility import (
    Around,
    Evidence,
    history_of,
    landed_elsewhere,
    off_branch,
    with_patches,
)
from git_lerim.workspace import Workspace


class _Source(msgspec.Struct):
    agent: str
    session: str
    commit: str | None = None
    branch: str | None = None
    patch: str | None = None


class _Row(msgspec.Struct):
    sources: list[_Source]
    anchors: list[Anchor]


_row = msgspec.json.Decoder(_Row)


def find_hidden(ws: Workspace, index: Index, kept: sqlite3.Connection, head: str) -> list[Evidence]:
    """Return the memories that do not apply at a commit, whatever branch is checked out.

    A memory applies if the commit contains the work from which the memory was learned, its
    session's change of the code included, or if the memory still describes the code there
    correctly.
    """
    around = Around(
        history=history_of(ws.place, head),
        exists=lambda commit: ws.code.objects.full_id(commit) is not None,
        landed=dict(kept.execute("SELECT id, head FROM landed").fetchall()),
        away={row[0] for row in kept.execute("SELECT DISTINCT id FROM hidden")},
    )
    away = off_branch(_evidence(index, _Changes(ws, around)), around)
    if not away:
        return []
    known = dict(kept.execute("SELECT head, id FROM patch").fetchall())
    before = set(known)
    try:
        away = with_patches(ws.place, away, known)
        landed = landed_elsewhere(ws.place, head, away, known)
    except GitFailed:
        return []
    landed |= _unchanged(ws, index, [one for one in away if one.id not in landed])
    with contextlib.suppress(LerimError), transaction(kept):
        kept.executemany(
            "INSERT OR REPLACE INTO patch VALUES (?, ?)",
            [(c, i) for c, i in known.items() if c not in before],
        )
        kept.executemany(
            "INSERT OR REPLACE INTO landed VALUES (?, ?)", [(id_, head) for id_ in landed]
        )
    return [one for one in away if one.id not in landed]


class _Changes:
    """A look for the commits in which sessions left the code that memories are about."""

    def __init__(self, ws: Workspace, around: Around) -> None:
        self._code, self._around = ws.code, around

    def outside(self, id_: str, row: _Row) -> tuple[str, ...]:
        """Return the commits outside HEAD's history that contain what the session changed."""
        before = {source.commit for source in row.sources}
        if len({(source.agent, source.session) for source in row.sources}) != 1:
            return ()
        return tuple(
            anchor.commit
            for anchor in row.anchors
            if anchor.commit
            and anchor.commit not in before
            and anchor.commit not in self._around.history
            and self._changed(id_, anchor.commit, anchor)
        )

    def _changed(self, id_: str, commit: str, anchor: Anchor) -> bool:
        """Return whether a commit changed the file of an anchor; else it was only checked out."""
        if not self._around.exists(commit):
            return id_ in self._around.away
        parents = self._code.objects.parents(commit)[:1]
        return all(
            self._around.exists(each) and self._code.blob_at(each, anchor.path) != anchor.blob
            for each in parents
        )


def _evidence(index: Index, changes: _Changes) -> Iterator[Evidence]:
    rows = index.connection.execute(
        "SELECT key, id, origin, row FROM document WHERE area = 0"
    ).fetchall()
    for key, id_, origin, text in rows:
        row = _row.decode(text)
        commits = [source.commit for source in row.sources]
        if not row.sources:  # written by an agent without a session: use its anchors
            commits = [anchor.commit for anchor in row.anchors]
        yield Evidence(
            key=key,
            id=id_,
            origin=origin,
            commits=tuple(commit for commit in commits if commit) if None not in commits else (),
            changed=changes.outside(id_, row),
            patches=tuple(source.patch for source in row.sources if source.patch),
            branches=tuple(source.branch for source in row.sources if source.branch),
        )


def _unchanged(ws: Workspace, index: Index, away: list[Evidence]) -> set[str]:
    """Return the ids of memories that still describe the code at HEAD correctly."""
    documents = index.documents([one.key for one in away], Document)
    standings = of_documents(ws, documents)
    found = set()
    for document in documents:
        states = standings[document.blob].anchors if document.blob in standings else []
        lines = [bool(line.split("\t")[2]) for line in document.anchors.split("\n") if line]
        own = [state for state, has in zip(states, lines, strict=False) if has or not any(lines)]
        if own and all(state in {"fresh", "moved"} for state in own):
            found.add(document.id)
    return found
