"""Count the memories of each kind, from the index if it is up to date."""

from collections import Counter
from collections.abc import Mapping

from git_lerim.memories.memory import Primitive, Status
from git_lerim.recall.index import index
from git_lerim.storage import layout
from git_lerim.storage.base import Quarantined, Snapshot
from git_lerim.storage.branch import lazy_snapshot
from git_lerim.workspace import Workspace

_SUMMARIES = "summaries"


def count_memories(ws: Workspace, snapshot: Snapshot) -> tuple[dict[str, int], list[Quarantined]]:
    """Count the memories by type and status, and list the quarantined files.

    Keys of the counts are, for example, `decisions` and `learnings superseded`.
    """
    return _of_index(ws, snapshot) or _of_all(snapshot)


def _of_all(snapshot: Snapshot) -> tuple[dict[str, int], list[Quarantined]]:
    memories = (
        item.memory for sort in (snapshot.memories, snapshot.summaries) for item in sort.values()
    )
    return _named(Counter((memory.primitive, memory.status) for memory in memories)), list(
        snapshot.quarantined
    )


def _of_index(ws: Workspace, snapshot: Snapshot) -> tuple[dict[str, int], list[Quarantined]] | None:
    """Count the memories from the index, which saves reading their files.

    Return None if the index is missing or outdated, or if memories have duplicate ids.
    """
    if snapshot.commit is None or ws.in_tree or not (ws.folder / index.NAME).exists():
        return None
    kept = ws.index()
    try:
        if kept.commit != snapshot.commit:
            return None
        files, sorts, hidden = kept.files()
    finally:
        kept.close()
    if hidden or len(files) > layout.FILES_LIMIT:
        return None  # with duplicate ids, only a full read tells which file is quarantined
    aside = lazy_snapshot.unknown_files(snapshot, files)
    return None if aside is None else (_named(sorts), aside)


def _named(sorts: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Return the counts by names such as `learnings superseded`; summaries come last."""
    named: Counter[str] = Counter()
    for (primitive, status), number in sorts.items():
        word = _SUMMARIES if primitive == Primitive.SUMMARY else f"{primitive}s"
        if primitive != Primitive.HANDOFF:
            named[word if status == Status.ACTIVE else f"{word} {status}"] += number
    return dict(sorted(named.items(), key=lambda pair: (pair[0].startswith(_SUMMARIES), pair[0])))
