"""Find which memories are hidden on the current branch, and cache that for the fast paths."""

import contextlib
import sqlite3
from collections.abc import Container, Iterable, Iterator

import msgspec

from git_lerim.actions.code.freshness import of_documents, open_cache
from git_lerim.database import transaction
from git_lerim.errors import GitFailed, LerimError
from git_lerim.git import fast_repo
from git_lerim.memories.memory import Anchor
from git_lerim.recall.index.index import Index
from git_lerim.recall.index.index_reader import Document
from git_lerim.recall.local import verdicts
from git_lerim.storage.base import Stored
from git_lerim.upkeep.visibility import Around, Evidence, history_of, landed_elsewhere, off_branch
from git_lerim.workspace import Workspace

HEADS = 16  # commits to cache

Hidden = dict[int, tuple[str, str]]  # index key → memory id and the branch it was learned on


class _Source(msgspec.Struct):
    commit: str | None = None
    branch: str | None = None
    patch: str | None = None


class _Row(msgspec.Struct):
    sources: list[_Source]
    anchors: list[Anchor]


_row = msgspec.json.Decoder(_Row)


def hide(ws: Workspace, index: Index, *, everything: bool = False) -> Index:
    """Exclude the hidden memories from an index, unless everything is wanted; return it."""
    index.hidden = frozenset() if everything else frozenset(hidden_memories(ws, index))
    return index


def hidden_ids(ws: Workspace) -> dict[str, str]:
    """Return the hidden memories by id, each with the branch it was learned on."""
    if ws.personal or ws.in_tree or not ws.has_memory():
        return {}
    with contextlib.closing(ws.index()) as index:
        return dict(hidden_memories(ws, index).values())


def filter_visible(
    items: Iterable[Stored], away: Container[str], *, branch: str | None, everything: bool
) -> list[Stored]:
    """Return the items that are not hidden, all with `everything`, or those learned on `branch`."""
    if branch is not None:
        return [
            item for item in items if any(source.branch == branch for source in item.memory.sources)
        ]
    return [item for item in items if everything or item.memory.id not in away]


def hidden_memories(ws: Workspace, index: Index) -> Hidden:
    """Return the memories that are hidden here; in tree mode there are none."""
    head = None if ws.personal or ws.in_tree else ws.code.head()
    if head is None:
        return {}
    try:
        branch = fast_repo.branch(str(ws.place.git_dir))
    except OSError:
        return {}
    with contextlib.ExitStack() as stack:
        kept = open_cache(ws)
        if kept is None:
            return {}
        stack.callback(kept.close)
        found = verdicts.hidden(kept, head, index.tree, branch)
        if found is None:
            away = _find_hidden(ws, index, kept, head)
            _keep(kept, head, index.tree or "", away)
            found = {
                one.key: (one.id, (one.branches or ("",))[-1])
                for one in away
                if branch not in one.branches
            }
        return found


def _find_hidden(
    ws: Workspace, index: Index, kept: sqlite3.Connection, head: str
) -> list[Evidence]:
    """Return the memories that do not apply at a commit, whatever branch is checked out."""
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
        if not row.sources:  # written by an agent without a session: its anchors tell
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
    """Return the ids of memories whose code at HEAD is as they describe it."""
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


def _keep(kept: sqlite3.Connection, head: str, tree: str, found: list[Evidence]) -> None:
    rows = [(head, one.key, one.id, "\n".join(one.branches)) for one in found]
    with contextlib.suppress(LerimError), transaction(kept):
        heads = [row[0] for row in kept.execute("SELECT head FROM looked")]
        if head not in heads and len(heads) >= HEADS:
            kept.execute("DELETE FROM looked")
        kept.execute("DELETE FROM hidden WHERE head = ?", (head,))
        kept.executemany("INSERT INTO hidden VALUES (?, ?, ?, ?)", rows)
        kept.execute("INSERT OR REPLACE INTO looked VALUES (?, ?)", (head, tree))
