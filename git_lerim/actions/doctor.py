"""Is everything as it should be? Each check is one function, one line, and what to do."""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from git_lerim.actions.begin import connections
from git_lerim.errors import Busy, LerimError
from git_lerim.git.process import git_version, require_git
from git_lerim.workspace import Workspace

_LEAST_DISK = 100 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found."""

    name: str
    state: Literal["ok", "warning", "problem"]
    says: str
    hint: str = ""


def checkup(ws: Workspace) -> list[Check]:
    """Run every check. What can be mended without loss (a broken ref, a stale lock of ours) is mended by looking."""
    checks: list[Check] = []
    for check in (_git, _repository, _identity, _branch, _files, _catalog, _disk, _agents):
        try:
            checks += check(ws)
        except LerimError as error:
            checks.append(Check(check.__name__.strip("_"), "problem", str(error), error.hint))
    return checks


def _git(ws: Workspace) -> Iterator[Check]:  # noqa: ARG001 every check has one form
    require_git()
    yield Check("git", "ok", ".".join(map(str, git_version())))


def _repository(ws: Workspace) -> Iterator[Check]:
    kind = "bare" if ws.place.bare else "a work tree"
    yield Check(
        "repository", "ok", f"{ws.place.common_dir} ({'personal store' if ws.personal else kind}, {ws.place.object_format})"
    )


def _identity(ws: Workspace) -> Iterator[Check]:
    yield Check("identity", "ok", ws.store.committer())


def _branch(ws: Workspace) -> Iterator[Check]:
    try:
        with ws.locked(0) if ws.folder.is_dir() else contextlib.nullcontext():
            repaired = ws.store.recover(lock_held=ws.folder.is_dir())
    except Busy as busy:
        yield Check("branch", "warning", str(busy), "what it may have to mend is left to it")
        repaired = ws.store.recover(lock_held=False)
    for said in (*ws.warnings(), *repaired):
        yield Check("branch", "warning", said)
    tip = ws.store.tip()
    name = ws.settings["branch"]
    if tip is None:
        yield Check("branch", "warning", f"{name} does not exist yet", "git lerim sync makes it")
    else:
        yield Check("branch", "ok", f"{name} at {tip[:10]}")


def _files(ws: Workspace) -> Iterator[Check]:
    snapshot = ws.store.snapshot()
    for item in snapshot.quarantined:
        yield Check("memory", "warning", f"{item.path} is set aside: {item.reason}", "git lerim lint tells more")
    yield Check("memories", "ok", f"{len(snapshot.memories)} read")


def _catalog(ws: Workspace) -> Iterator[Check]:
    if not (ws.folder / "catalog.sqlite3").exists():
        yield Check("catalog", "ok", "none yet")
        return
    with ws.catalog() as catalog:
        said = str(catalog.execute("PRAGMA integrity_check").fetchone()[0])
        counts = ", ".join(f"{n} {word}" for word, n in sorted(catalog.counts().items()))
    if said == "ok":
        yield Check("catalog", "ok", f"{counts or 'no sessions'} (SQLite {sqlite3.sqlite_version})")
    else:
        yield Check("catalog", "problem", said, "git lerim reset makes it anew; the memories stay")


def _disk(ws: Workspace) -> Iterator[Check]:
    free = shutil.disk_usage(ws.place.common_dir).free
    enough = free > _LEAST_DISK
    yield Check(
        "disk",
        "ok" if enough else "warning",
        f"{free // 1024 // 1024} MiB free",
        "" if enough else "a sync may fail for want of space",
    )


def _agents(ws: Workspace) -> Iterator[Check]:
    rows = [row for row in connections(ws) if row.sources]
    said = ", ".join(f"{row.agent} {row.sources}" + ("" if row.connected else " (not connected)") for row in rows)
    if rows:
        yield Check("agents", "ok", f"files of sessions: {said}")
    else:
        yield Check("agents", "warning", "no agent's sessions were found", "git lerim connect shows where was looked")
