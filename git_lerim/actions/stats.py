"""Statistics of a store: content, origins, growth and use."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from git_lerim.actions.code import freshness
from git_lerim.actions.listing import iso
from git_lerim.actions.mistrust import titles
from git_lerim.actions.models import model_spending
from git_lerim.git.engines.tree_diffs import trees_of
from git_lerim.git.engines.trees import FOLDER
from git_lerim.git.running.process import run_git
from git_lerim.memories.feedback import disputed
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.merging import redactions
from git_lerim.recall.brief.handoff import state
from git_lerim.recall.local import access_counts
from git_lerim.recall.local.verdicts import UNKNOWN
from git_lerim.storage import open_store
from git_lerim.storage.base import Snapshot, Stored
from git_lerim.storage.commit_files import Commit, CommitFiles
from git_lerim.storage.history.past import LoggedCommit, read_log
from git_lerim.workspace import Workspace

TOP = 5  # memories listed as the most used
_LOCAL = {
    "catalog": ("catalog.sqlite3",),
    "index": ("index.sqlite3", "vectors.sqlite3", "verdicts.sqlite3", "model-answers.sqlite3"),
    "transcripts": ("cache",),
    "runs": ("runs", "activity.log"),
}


def stats(ws: Workspace, at: str | None = None) -> dict[str, Any]:
    """Return the statistics of the store now or at a revision.

    For a past revision, numbers that come from this machine's local state are None.
    """
    snapshot = ws.store.snapshot(at)
    memories = [item.memory for item in snapshot.memories.values()]
    active = [item for item in snapshot.memories.values() if item.memory.status is Status.ACTIVE]
    rated = ws.store.named([item for item in active if item.memory.feedback], at)
    in_use = [item.memory for item in active]
    tree = open_store.tree_of(ws)
    commits = _commits(ws, snapshot, at)
    made = commits if tree else commits[:-1]  # without the constant first commit
    is_now = at is None
    return {
        "branch": ws.store_name,
        "commit": snapshot.commit,
        "memories": _memories(memories, in_use)
        | {"disputed": sum(disputed(each.feedback) for each in rated)},
        "summaries": len(snapshot.summaries),
        "handoffs": _counts(state(item.memory, ws.now) for item in snapshot.handoffs.values()),
        "quarantined": len(snapshot.quarantined),
        "from": _origins(memories, commits),
        "growth": _growth(memories),
        "code": _code(ws, active) if is_now else None,
        "feedback": _feedback(rated),
        "use": _use(ws, in_use) if is_now else None,
        "sessions": _sessions(ws) if is_now else None,
        "model": model_spending.by_month(ws) if is_now else None,
        "redactions": _redactions(snapshot),
        "history": {
            "commits": len(commits),
            "first": iso(made[-1].at) if made else None,
            "last": iso(made[0].at) if made else None,
        },
        "bytes": (
            ({"files": tree.bytes_held(at)} if tree else _tree(ws, snapshot.commit))
            | (_local(ws.folder) if is_now else {})
        ),
    }


def _commits(ws: Workspace, snapshot: Snapshot, at: str | None) -> list[LoggedCommit]:
    if tree := open_store.tree_of(ws):
        return list(tree.history(at=at))
    if snapshot.commit is None:
        return []
    return list(read_log(ws.place, snapshot.commit, limit=None, path=None, check=False))


def _memories(memories: Sequence[Memory], active: Sequence[Memory]) -> dict[str, Any]:
    return {
        "total": len(memories),
        "by_status": _counts(memory.status for memory in memories),
        "by_primitive": _counts(memory.primitive for memory in active),
        "by_kind": _counts(memory.kind for memory in active if memory.kind),
        "protected": sum(memory.protected for memory in memories),
    }


def _counts(values: Iterable[str]) -> dict[str, int]:
    """Return how often each value occurs, most frequent first."""
    return _ranked(Counter(values))


def _ranked(counts: Mapping[str, int]) -> dict[str, int]:
    return {
        str(name): number
        for name, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    }


def _feedback(rated: Sequence[Stored]) -> dict[str, int]:
    """Return how often each feedback verdict was given."""
    counts: Counter[str] = Counter()
    for row in (row for item in rated for row in item.feedback):
        counts[row.verdict] += row.count
    return _ranked(counts)


def _origins(
    memories: Sequence[Memory], commits: Sequence[LoggedCommit]
) -> dict[str, dict[str, int]]:
    """Count the memories by agent, and by the author who first committed them."""
    kept = {memory.id for memory in memories}
    agents = Counter(
        agent for memory in memories for agent in {source.agent for source in memory.sources}
    )
    without = Counter(
        "agents' notes" if memory.origin is Origin.AGENT else "by hand"
        for memory in memories
        if not memory.sources
    )
    added = {
        file.id: commit.author
        for commit in commits
        for file in commit.files
        if file.id in kept and file.status == "A"
    }
    return {
        "agents": _ranked(agents) | _ranked(without),
        "people": _counts(added.values()),
    }


def _growth(memories: Sequence[Memory]) -> list[dict[str, Any]]:
    """Return how many memories were added in each month, and the total at the end of the month."""
    months = Counter(f"{memory.created:%Y-%m}" for memory in memories)
    rows, total = [], 0
    for month in sorted(months):
        total += months[month]
        rows.append({"month": month, "added": months[month], "total": total})
    return rows


def _code(ws: Workspace, active: Sequence[Stored]) -> dict[str, int]:
    """Return how many memories are fresh, stale, unknown or not about code."""
    standings = freshness.of_stored(ws, active)
    states = [
        standings.get(item.blob, UNKNOWN).state if item.memory.anchors else "no code"
        for item in active
    ]
    return _counts(states)


def _use(ws: Workspace, active: Sequence[Memory]) -> dict[str, Any]:
    """Return how often memories were shown on this machine, and which ones most often.

    For memories that were shown on other machines or before a reset, only the last date is known.
    """
    with ws.catalog_to_read() as catalog:
        uses = access_counts.uses(catalog, ws.folder, f"{ws.now:%Y-%m-%d}")
    used = sorted(
        ((uses[m.id], m) for m in active if m.id in uses),
        key=lambda pair: (-pair[0].count, pair[1].id),
    )
    named = titles(ws, [memory for _, memory in used[:TOP]])
    unseen = [memory for memory in active if memory.id not in uses]
    return {
        "shown": sum(use.count for use, _ in used),
        "memories_shown": len(used),
        "shown_elsewhere": sum(memory.last_accessed is not None for memory in unseen),
        "never_shown": sum(memory.last_accessed is None for memory in unseen),
        "most": [
            {"id": m.id, "title": title, "count": use.count, "last": use.last}
            for (use, m), title in zip(used[:TOP], named, strict=True)
        ],
    }


def _sessions(ws: Workspace) -> dict[str, Any]:
    with ws.catalog_to_read() as catalog:
        by_state = catalog.counts()
        stored, kept = catalog.execute("SELECT total(stored), total(kept) FROM sessions").fetchone()
    return {
        "scanned": sum(by_state.values()),
        "by_state": dict(sorted(by_state.items(), key=lambda pair: (-pair[1], pair[0]))),
        "records": int(stored),
        "records_kept": int(kept),
    }


def _redactions(snapshot: Snapshot) -> int:
    """Return how many redacted secrets the store's files contain."""
    parts: tuple[Mapping[str, Any], ...] = (
        snapshot.memories,
        snapshot.summaries,
        snapshot.handoffs,
    )
    return sum(redactions(item.memory) for part in parts for item in part.values())


def _tree(ws: Workspace, commit: str | None) -> dict[str, int]:
    if commit is None:
        return {"files": 0}
    whole = Commit(commit, trees_of(ws.place, [commit])[commit], ())
    changes = CommitFiles(ws.place, [whole]).of(whole)
    asked = "".join(
        f"{change.ids[1]}\n" for change in changes if change.modes[1] != FOLDER
    ).encode()
    sizes = run_git(
        ws.place.git("cat-file", "--batch-check=%(objectsize)"), cwd=ws.place.git_dir, input=asked
    ).split()
    return {"files": sum(int(size) for size in sizes if size.isdigit())}


def _local(folder: Path) -> dict[str, int]:
    return {name: sum(_size(folder / part) for part in parts) for name, parts in _LOCAL.items()}


def _size(path: Path) -> int:
    try:
        if path.is_dir():
            with os.scandir(path) as entries:
                return sum(_size(Path(entry)) for entry in entries if not entry.is_symlink())
        return path.lstat().st_size
    except OSError:
        return 0
