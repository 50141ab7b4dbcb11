"""Read from the reflog of HEAD which commits the user made by hand in a work tree."""

import os
import re
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
_READ = "own-log"  # name of the record of how far the reflog was read


@dataclass(frozen=True, slots=True)
class HandLog:
    """The commits in those entries of HEAD's reflog that had not been read before."""

    by_hand: dict[str, str] = field(
        default_factory=dict
    )  # each commit and the HEAD before it, oldest first
    made: dict[str, int] = field(
        default_factory=dict
    )  # the line of the reflog in which each commit first appears

    def is_later(self, commit: str, other: str) -> bool:
        """Return whether a commit appeared here at the same time as another, or later.

        For example, a rebased copy of a commit appears later than the commit.
        """
        return commit in self.made and self.made[commit] >= self.made[other]


def read(place: Place, disk: Disk) -> HandLog:
    """Return the entries that the reflog of HEAD has gained since the last read."""
    log = HandLog()
    try:
        raw = read_small(place.git_dir / "logs/HEAD", LARGE)
        name = f"{disk.key}.{_READ}"
        kept = (disk.cached(name) or {}).get("bytes")
        start = (
            kept
            if isinstance(kept, int) and 0 < kept <= len(raw) and raw[kept - 1 : kept] == b"\n"
            else 0
        )
        if start == len(raw):  # asking git for the identity takes two processes
            return log
        mail = identity(place).committer.rpartition(b"<")[2].rstrip(b">")
    except (OSError, NoIdentity):
        return log
    for number, line in enumerate(raw[start:].split(b"\n")):
        head, tab, said = line.partition(b"\t")
        if tab and head.rpartition(b"<")[2].partition(b">")[0] == mail:
            old, new = head.decode("ascii", "replace").split(" ")[:2]
            if _MADE.match(os.fsdecode(said)):
                log.made.setdefault(new, number)
            if _BY_HAND.match(os.fsdecode(said)):
                log.by_hand.setdefault(new, old)
    if kept != len(raw):
        disk.cache(name, {"bytes": len(raw)})
    return log
