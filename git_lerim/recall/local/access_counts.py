"""Count in the catalog how often, and when last, each memory was shown, from the access log.

The log is never truncated while it may be open. The counts and the position up to which the log is
counted are stored in one transaction, so that each line is counted once even after a crash. A long
log is renamed and kept for a while, since a process that has it open may still append to it.
"""

import contextlib
import os
import re
import sqlite3
import stat
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from git_lerim import database
from git_lerim.errors import LerimError
from git_lerim.recall.local.access_log import NAME
from git_lerim.sessions import tables

FILES = (f"{NAME}.1", NAME)  # the renamed log and the current one
LONG = 1 << 20  # bytes above which a counted log is renamed
SETTLED = 60  # seconds without a new line after which nobody has the renamed log open

_LINE = re.compile(r"([0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))((?: [a-z2-7]{13})+)")


class Rows(Protocol):
    """What this module needs from an open catalog."""

    def execute(self, sql: str, arguments: tuple[object, ...] = (), /) -> sqlite3.Cursor:
        """Run one SQL statement."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How often one memory was shown on this machine, and on which day last."""

    count: int
    last: str  # a day, YYYY-MM-DD


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncounted:
    """The counts from lines of the log that are not in the catalog yet."""

    counts: Mapping[str, int]  # by id
    days: Mapping[str, str]  # by id: the last one
    # by inode: the offset counted so far, and the offset read now
    read: Mapping[int, tuple[int, int]] = field(default_factory=dict)


def uncounted(folder: Path, today: str) -> Uncounted | None:
    """Return what was shown since the last count; None if nothing was or the catalog is busy.

    A day in the future (a wrong clock) counts as today.
    """
    if not any((folder / name).exists() for name in FILES):
        return None
    try:
        with _catalog(folder) as catalog:
            found = _read_new(folder, today, _marks(catalog))
    except (LerimError, OSError):
        return None
    return found if found.counts else None


def count(folder: Path, found: Uncounted) -> bool:
    """Add the log's new lines to the counts in the catalog; return whether this succeeded.

    It fails if another process counted the lines first. After any failure, the lines are counted
    the next time.
    """
    try:
        with _catalog(folder) as catalog, database.transaction(catalog):
            marks = _marks(catalog)
            if any(marks.get(number, 0) != before for number, (before, _) in found.read.items()):
                return False
            for id_, number in found.counts.items():
                catalog.execute(
                    "INSERT INTO accesses VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
                    " count = count + excluded.count, last = max(last, excluded.last)",
                    (id_, number, found.days[id_]),
                )
            _set_marks(catalog, {number: end for number, (_, end) in found.read.items()})
            _rotate(folder, catalog)
    except (LerimError, OSError):
        return False  # it will be counted the next time
    return True


def uses(catalog: Rows, folder: Path, today: str) -> dict[str, Use]:
    """Return how often each memory was shown on this machine, uncounted lines included."""
    rows = catalog.execute("SELECT id, count, last FROM accesses").fetchall()
    known = {row["id"]: Use(count=row["count"], last=row["last"]) for row in rows}
    new = _read_new(folder, today, _marks(catalog))
    for id_, number in new.counts.items():
        old = known.get(id_, Use(count=0, last=""))
        known[id_] = Use(count=old.count + number, last=max(old.last, new.days[id_]))
    return known


@contextlib.contextmanager
def _catalog(folder: Path) -> Iterator[database.Connection]:
    """Open the catalog without waiting for a lock, as this process itself may hold it."""
    with contextlib.closing(
        database.connect(folder / "catalog.sqlite3", tables.CATALOG, patience=0)
    ) as connection:
        yield connection


def _marks(catalog: Rows) -> dict[int, int]:
    """Map the inode of each log file to the position up to which it was counted."""
    rows = catalog.execute("SELECT key, value FROM main.meta WHERE key GLOB 'counted:*'").fetchall()
    return {int(key.partition(":")[2]): int(value) for key, value in rows}


def _set_marks(catalog: database.Connection, ends: Mapping[int, int]) -> None:
    # including marks of deleted files
    catalog.execute("DELETE FROM main.meta WHERE key GLOB 'counted:*'")
    for number, end in ends.items():
        catalog.execute("INSERT INTO main.meta VALUES (?, ?)", (f"counted:{number}", str(end)))


def _read_new(folder: Path, today: str, marks: Mapping[int, int]) -> Uncounted:
    counts: Counter[str] = Counter()
    days: dict[str, str] = {}
    read: dict[int, tuple[int, int]] = {}
    for name in FILES:
        with contextlib.suppress(OSError):
            number, begin, text = _tail(folder / name, marks)
            read[number] = (marks.get(number, 0), begin + len(text))
            for day, ids in _lines(text):
                counts.update(ids)
                days |= {id_: max(min(day, today), days.get(id_, "")) for id_ in ids}
    return Uncounted(counts=counts, days=days, read=read)


def _lines(text: bytes) -> Iterator[tuple[str, list[str]]]:
    """Yield the day and ids of each valid line."""
    for line in text.decode("ascii", "replace").split("\n"):
        if found := _LINE.fullmatch(line):
            yield found[1], found[2].split()


def _tail(path: Path, marks: Mapping[int, int]) -> tuple[int, int, bytes]:
    """Return a log's inode, the offset of its first uncounted line, and the lines from there.

    An incomplete last line is left out.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or path.is_symlink():
            raise OSError
        begin = marks.get(status.st_ino, 0)
        if begin > status.st_size:  # another file, with a reused inode
            begin = 0
        file.seek(begin)
        text = file.read(LONG * 32)
    return status.st_ino, begin, text[: text.rfind(b"\n") + 1]


def _rotate(folder: Path, catalog: database.Connection) -> None:
    """Rename a log that has grown long; late additions to it are still counted."""
    grown, renamed = folder / NAME, folder / FILES[0]
    with contextlib.suppress(OSError):  # some systems cannot rename open files
        if renamed.exists() and time.time() - renamed.stat().st_mtime < SETTLED:
            return
        if grown.stat().st_size > LONG and not _read_new(folder, "", _marks(catalog)).counts:
            grown.replace(renamed)
