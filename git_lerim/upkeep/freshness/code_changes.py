"""Show how the code that a memory is about has changed: its definition, before and after."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from git_lerim.git.history.definitions import Lines, bodies
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.culprits import Loss, culprits
from git_lerim.upkeep.freshness.freshness import Claim, State, Verdict
from git_lerim.upkeep.freshness.snapshot import Snapshot
from git_lerim.upkeep.freshness.staleness import Lost

AROUND = 6  # lines of context where no definition is found
LONGEST = 80  # lines shown of the old code
MOST = 200  # lines shown of both sides


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeChange:
    """The change to the code that one anchor of a memory points to."""

    path: str  # the path when the memory was anchored
    now: str  # the current path, or the last one
    lines: Lines
    symbol: str | None
    diff: str  # of the whole definition; each line begins with ` `, `-` or `+`
    hunk: str  # the part that matters, as git prints it
    left: float  # share of unchanged lines
    commit: str | None  # the commit at which the memory was anchored
    blob: str  # the file there

    @property
    def removed(self) -> tuple[str, ...]:
        """The removed lines."""
        return tuple(row[1:] for row in self.diff.split("\n") if row.startswith("-"))


def code_changes(code: Snapshot, claim: Claim, verdict: Verdict) -> tuple[CodeChange, ...]:
    """Return the changes between the code that a memory was anchored to and that of a commit.

    Each changed definition is returned once.
    """
    found = (
        _code_change(code, anchor, state)
        for anchor, state in zip(claim.anchors, verdict.states, strict=True)
    )
    changes = {(change.path, change.diff): change for change in reversed([*found]) if change}
    return tuple(reversed(changes.values()))


def changed_by(code: Snapshot, changes: Sequence[CodeChange]) -> list[str]:
    """Return, for each change, the commit that removed its longest line; empty if unknown."""
    losses = [
        Loss(
            lost=(Lost(max(change.removed, key=len, default="").strip(), verbatim=True),),
            paths=(change.now, change.path),
            commit=change.commit,
            blob=change.blob,
        )
        for change in changes
    ]
    return culprits(code, losses)


def _code_change(code: Snapshot, anchor: Anchor, state: State) -> CodeChange | None:
    """Return the change to an anchor's code at a commit; None if its definition is unchanged.

    The lines alone are not enough: a change elsewhere in a function can break a claim about it.
    """
    if anchor.lines is None or not anchor.blob or state.state == "unknown":
        return None
    if code.blobs.get(state.path) == anchor.blob:
        return None
    before = code.rows(anchor.blob)
    after = code.file(state.path) if state.state != "gone" and state.path in code.blobs else ()
    diff = _diff(before, after, anchor, state.lines)
    if not any(row.startswith(("-", "+")) for row in diff):
        return None
    left = state.left if state.left is not None else 0.0
    return CodeChange(
        path=anchor.path,
        now=state.path,
        lines=anchor.lines,
        symbol=anchor.symbol,
        diff="\n".join(diff),
        hunk=state.hunk,
        left=left,
        commit=anchor.commit,
        blob=anchor.blob,
    )


def _diff(
    before: Sequence[str], after: Sequence[str], anchor: Anchor, now: Lines | None
) -> list[str]:
    """Return the diff of the definition around an anchor, or of the lines around it."""
    lines = anchor.lines or (1, 1)
    first, last = _region(before, lines, anchor.symbol)
    start = max(first - 1 - LONGEST, 0)
    old = before[start : last + LONGEST]
    new: Sequence[str] = ()
    if now:
        above, below = lines[0] - first, last - lines[1]
        new = after[max(now[0] - 1 - above - LONGEST, 0) : now[1] + below + LONGEST]
    found, number = [], start
    for row in list(difflib.unified_diff(old, new, n=len(old), lineterm=""))[2:]:
        if row.startswith("@@"):
            continue
        number += not row.startswith("+")
        if first <= number <= last:
            found.append(row)
    return found[:MOST]


def _region(rows: Sequence[str], lines: Lines, symbol: str | None) -> Lines:
    """Return the definition around some lines, or a few lines around them, cut to LONGEST lines."""
    first, last = next(
        (
            (a, b)
            for a, b in bodies(rows, symbol or "")
            if a <= lines[0] and lines[1] <= b and b - a < LONGEST
        ),
        (max(lines[0] - AROUND, 1), lines[1] + AROUND),
    )
    return first, min(last, first + LONGEST - 1)
