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
from git_lerim.upkeep.visibility import Around, Evidence, history_of, landed_elsewhere, off_branch
from git_lerim.workspace import Workspace


class _Source(msgspec.Struct):
    commit: str | None = None
    branch: str | None = None
    patch: str | None = None


class _Row(msgspec.Struct):
    sources: list[_Source]
    anchors: list[Anchor]


_row = msgspec.json.Decoder(_Row)


def find_hidden(ws: Workspace, index: Index, kept: sqlite3.Connection, head: str) -> list[Evidence]:
    """Return the memories that do not apply at a commit, whatever branch is checked out.

    A memory applies if the commit contains the work from which the memory was learned, or if the
    memory still describes the code there correctly.
    """
    around = Around(
        history=history_of(ws.place, head),
        exists=lambda commit: ws.code.objects.full_id(commit) is not None,
        landed=dict(kept.execute("SELECT id, head FROM landed").fetchall()),
        away={row[0] for row in kept.execute("SELECT DISTINCT id FROM hidden")},
    )
    away = off_branch(_evidence(index), around)
    if not away:
        return []
    known = dict(kept.execute("SELECT head, id FROM patch").fetchall())
    before = set(known)
    try:
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


def _evidence(index: Index) -> Iterator[Evidence]:
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
