"""Read from the reflogs which commits the user made by hand, in any work tree of the repository."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from git_lerim.errors import NoIdentity
from git_lerim.git.commits.identity import identity
from git_lerim.git.repo import Place
from git_lerim.git.worktree.worktree_snapshot import Disk
from git_lerim.private_files import LARGE, read_small

_BY_HAND = re.compile(
    r"(?:commit(?: \((?:initial|amend|merge)\))?|revert): "
)  # a cherry-pick, a patch or a pull brings what others wrote
# not `rebase (start): checkout origin/x` or `(finish)`, whose commit others may have made
_MADE = re.compile(
    r"(?:commit|cherry-pick|revert|rebase|pull)\b(?![^:]*\((?:start|finish|reset|abort)\))[^:]*: "
    r"(?!(?i:fast.?forward))"
)
_READ = "own-log"  # name of the record of how far each reflog was read


@dataclass(frozen=True, slots=True)
class HandLog:
    """The commits in those entries of the reflogs that had not been read before."""

    by_hand: dict[str, str] = field(
        default_factory=dict
    )  # each commit and the HEAD before it, oldest first
    made: dict[str, int] = field(
        default_factory=dict
    )  # the number of the entry in which each commit first appears

    def is_later(self, commit: str, other: str) -> bool:
        """Return whether a commit appeared here at the same time as another, or later.

        For example, a rebased copy of a commit appears later than the commit.
        """
        return commit in self.made and self.made[commit] >= self.made[other]


def read(place: Place, disk: Disk) -> HandLog:
    """Return the entries that the reflogs have gained since the last read, oldest first."""
    log = HandLog()
    kept = disk.cached(_READ) or {}
    grown, sizes = _grown(place, kept)
    if not grown:  # asking git for the identity takes two processes
        return log
    try:
        mail = identity(place).committer.rpartition(b"<")[2].rstrip(b">")
    except NoIdentity:
        return log
    entries = sorted(
        (entry for lines in grown for entry in _entries(lines, mail)), key=lambda entry: entry[0]
    )
    for number, (_, old, new, said) in enumerate(entries):
        if _MADE.match(said):
            log.made.setdefault(new, number)
        if _BY_HAND.match(said):
            log.by_hand.setdefault(new, old)
    disk.cache(_READ, sizes)
    return log


def _grown(place: Place, kept: Mapping[str, object]) -> tuple[list[list[bytes]], dict[str, int]]:
    """Return the new lines of each reflog that has any, and the sizes of all reflogs.

    A branch keeps its reflog when a linked work tree, in which its commits were made, is removed.
    """
    common, grown, sizes = place.common_dir, [], {}
    folders = (common, *common.glob("worktrees/*"))
    branches = (file for file in (common / "logs/refs/heads").rglob("*") if file.is_file())
    for file in (*(folder / "logs/HEAD" for folder in folders), *branches):
        name = str(file.relative_to(common))
        with suppress(OSError):
            if file.stat().st_size == kept.get(name):
                sizes[name] = file.stat().st_size
                continue
            raw = read_small(file, LARGE)
            start = kept.get(name)
            if not isinstance(start, int) or raw[max(start - 1, 0) : start] != b"\n":
                start = 0  # the log is new, or old entries were removed
            sizes[name] = len(raw)
            grown.append(raw[start:].split(b"\n"))
    return grown, sizes


def _entries(lines: list[bytes], mail: bytes) -> Iterator[tuple[int, str, str, str]]:
    """Yield time, old commit, new commit and message of the user's entries."""
    last = 0
    for line in lines:
        head, tab, said = line.partition(b"\t")
        who, _, time = head.rpartition(b"> ")
        if tab and who.rpartition(b"<")[2] == mail:
            seconds = time.split(b" ")[0]
            last = max(last, int(seconds) if seconds.isdigit() else 0)
            old, new = head.decode("ascii", "replace").split(" ")[:2]
            yield last, old, new, os.fsdecode(said)
