"""Check the anchors of many memories against one commit, with one diff, listing and log."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from git_lerim.errors import GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.history import compare
from git_lerim.git.history.definitions import Lines, bodies
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.claims import Word, claimed
from git_lerim.upkeep.freshness.diffs import FileDiff, by_source, parsed
from git_lerim.upkeep.freshness.elsewhere import Elsewhere, names_in
from git_lerim.upkeep.freshness.staleness import Judged, Lost, Piece, gone, judge, judge_at

_COMMON = {
    "__init__.py",
    "index.js",
    "index.ts",
    "mod.rs",
    "main.go",
    "main.py",
    "README.md",
    "conftest.py",
}
MOST_HUNK = 40  # lines of a hunk that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A memory's text, and the code that it is about."""

    id: str
    title: str
    body: str
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What became of one anchor."""

    state: str  # fresh | moved | changed | gone | unknown
    path: str  # where it is now, or was
    lines: Lines | None = None
    left: float | None = None  # share of unchanged lines, if edited
    lost: tuple[Lost, ...] = ()
    hunk: str = ""
    since: str = ""  # the commit that lost it, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of each anchor of a memory, and so whether it is stale."""

    states: tuple[State, ...]

    @property
    def cause(self) -> State | None:
        """The anchor that makes the memory stale; None if it is not."""
        return next((state for state in self.states if state.lost), None)


@dataclass(slots=True)
class _Case:
    """An anchor with lines whose file changed."""

    anchor: Anchor
    words: tuple[Word, ...]
    now: str | None  # the blob at its path
    found: State | None = None

    @property
    def key(self) -> tuple[str, ...]:
        anchor = self.anchor
        return (
            anchor.path,
            anchor.blob or "",
            self.now or "",
            str(anchor.lines),
            "\x00".join(word.text for word in self.words),
        )


Cache = dict[tuple[str, ...], State]


@dataclass
class Freshness:
    """Checks anchors against one commit; `known` is a cache that may be stored."""

    place: Place
    objects: Objects
    target: str
    known: Cache = field(default_factory=dict)
    _moved: dict[str, str] = field(default_factory=dict)  # new path of moved files by old path

    def verdicts(self, claims: Sequence[Claim]) -> dict[str, Verdict]:
        """Return the verdict on each memory, by id."""
        cases: dict[tuple[str, int], _Case] = {}
        states: dict[str, list[State]] = {}
        for claim in claims:
            words: dict[str | None, tuple[Word, ...]] = {}
            own = states.setdefault(claim.id, [])
            for number, anchor in enumerate(claim.anchors):
                state = self._at_once(anchor)
                if state.state == "changed" and anchor.lines:
                    if anchor.blob not in words:
                        words[anchor.blob] = claimed(
                            claim.title, claim.body, self.rows(anchor.blob or "")
                        )
                    cases[claim.id, number] = _Case(
                        anchor, words[anchor.blob], self._blobs.get(anchor.path)
                    )
                own.append(state)
        self._judge(list(cases.values()))
        for (id_, number), case in cases.items():
            states[id_][number] = case.found or states[id_][number]
        return {id_: Verdict(states=tuple(own)) for id_, own in states.items()}

    def _at_once(self, anchor: Anchor) -> State:
        """Return the state that follows from the blobs alone; `changed` needs a closer look."""
        now = self._blobs.get(anchor.path)
        if anchor.blob is None:
            return State(state="unknown", path=anchor.path, lines=anchor.lines)
        if now == anchor.blob:
            return State(state="fresh", path=anchor.path, lines=anchor.lines)
        if anchor.lines is None:
            return State(state="gone" if now is None else "changed", path=anchor.path)
        return State(
            state="changed" if self._is_here(anchor.blob) else "unknown",
            path=anchor.path,
            lines=anchor.lines,
        )

    def _judge(self, cases: Sequence[_Case]) -> None:
        for case in cases:
            case.found = self._from_known(case)
        new = [case for case in cases if case.found is None]
        if not new:
            return
        diffs = self._diffs(new)
        for case in new:
            case.found = self._judged(case, diffs.get(_old_name(case.anchor)))
        self._look_elsewhere(new)
        self._date([case for case in new if case.found and case.found.lost])
        self.known |= {
            case.key: case.found
            for case in new
            if case.found and case.now and case.found.path == case.anchor.path
        }

    def _from_known(self, case: _Case) -> State | None:
        found = self.known.get(case.key)
        return found if found and (not found.since or self._is_in_history(found.since)) else None

    def _diffs(self, cases: Iterable[_Case]) -> Mapping[str, FileDiff]:
        """Return the diff of each changed or renamed file, by its old name."""
        old = {_old_name(case.anchor): case.anchor.blob or "" for case in cases}
        new = {_old_name(case.anchor): case.now for case in cases if case.now}
        gone_ones = [case for case in cases if case.now is None]
        if gone_ones:
            suffixes = {PurePosixPath(case.anchor.path).suffix for case in gone_ones}
            before = self._paths_at(case.anchor.commit for case in gone_ones)
            added = {
                path
                for path in self._blobs.keys() - before
                if PurePosixPath(path).suffix in suffixes
            }
            self._moved |= {
                path: to
                for path in {case.anchor.path for case in gone_ones}
                if (to := namesake(path, added))
            }
            new |= {
                _old_name(c.anchor): self._blobs[to]
                for c in gone_ones
                if (to := self._moved.get(c.anchor.path))
            }
            new |= {
                f"new/{path}": self._blobs[path] for path in added.difference(self._moved.values())
            }
        try:
            return by_source(parsed(compare.diff_of(self.place, old, new)))
        except GitFailed:
            return {}

    def _judged(self, case: _Case, diff: FileDiff | None) -> State:
        anchor = case.anchor
        piece = self.piece(anchor)
        path = anchor.path if case.now else self._moved.get(anchor.path)
        if path is None and diff and diff.target.startswith("new/"):
            path = diff.target.removeprefix("new/")
        if path is None:
            return _state(gone(case.words, piece), anchor.path)
        if (diff is None and self._blobs[path] != anchor.blob) or not self._is_here(
            self._blobs[path]
        ):
            # binary, or git could not compare it
            return State(state="unknown", path=path, lines=anchor.lines)
        judged = judge(case.words, piece, self.rows(self._blobs[path]), diff.hunks if diff else ())
        if path != anchor.path and judged.state == "fresh":
            judged = replace(judged, state="moved")
        return _state(judged, path)

    def _look_elsewhere(self, cases: Iterable[_Case]) -> None:
        """Look in other files for lines that are lost, because they may have moved."""
        lost = [case for case in cases if case.found and case.found.lost]
        wanted = {name for case in lost if case.found for name in names_in(case.found.lost)}
        wanted |= {name for case in lost for name in (case.anchor.symbol or "").split(".")}
        if not lost:
            return
        elsewhere = Elsewhere(
            wanted,
            self._blobs,
            {PurePosixPath(case.anchor.path).suffix for case in lost},
            self.rows,
        )
        for case in lost:
            case.found = self._found_elsewhere(case, elsewhere) or case.found

    def _found_elsewhere(self, case: _Case, elsewhere: Elsewhere) -> State | None:
        """Return the state of lines that moved to another file, alone or with their definition."""
        state, piece = case.found, self.piece(case.anchor)
        if state is None:
            return None
        there = state.path if state.path in self._blobs else ""
        if found := elsewhere.place_of(piece, state.lost, not_in=there if case.now else ""):
            return State(state="moved", path=found[0], lines=found[1], left=state.left)
        if there and bodies(self.rows(self._blobs[there]), case.anchor.symbol or ""):
            return None
        found = elsewhere.definition_of(piece, not_in=there)
        return (
            _state(
                judge_at(case.words, piece, self.rows(self._blobs[found[0]]), found[1]), found[0]
            )
            if found
            else None
        )

    def _date(self, cases: Sequence[_Case]) -> None:
        """Find the commit responsible for each loss, with a single log."""
        paths = {
            path for case in cases if case.found for path in (case.anchor.path, case.found.path)
        }
        oldest = compare.oldest_of(
            self.place, {case.anchor.commit for case in cases if case.anchor.commit}
        )
        changes = compare.changes_of(
            self.place,
            self.target,
            oldest if oldest and self._is_in_history(oldest) else None,
            paths,
        )
        by_path: dict[str, list[tuple[str, str, str, str]]] = {}
        for change in changes:
            by_path.setdefault(change[1], []).append(change)
        for case in cases:
            if case.found:
                steps = [
                    step
                    for path in dict.fromkeys((case.found.path, case.anchor.path))
                    for step in by_path.get(path, ())
                ]
                case.found = replace(case.found, since=self._culprit(case.found.lost, steps))

    def _culprit(self, lost: Sequence[Lost], steps: Sequence[tuple[str, str, str, str]]) -> str:
        """Return the newest commit before which nothing was lost, by bisection.

        This assumes that what is lost stays lost.
        """
        low, high = 0, len(steps) - 1
        while low < high:
            middle = (low + high) // 2
            if self._has(lost, steps[middle][2]):
                high = middle
            else:
                low = middle + 1
        return steps[low][0] if steps else ""

    def _has(self, lost: Sequence[Lost], blob: str) -> bool:
        return (
            bool(blob.strip("0"))
            and self._is_here(blob)
            and all(one.holds(self.rows(blob)) for one in lost)
        )

    def piece(self, anchor: Anchor) -> Piece:
        """Return the lines of an anchor in the file as it was."""
        return Piece(self.rows(anchor.blob or ""), anchor.lines or (1, 1), anchor.symbol)

    def rows(self, blob: str) -> Sequence[str]:
        """Return the lines of a blob; empty if it is binary or missing."""
        if blob not in self._rows:
            try:
                data = self.objects.blob(blob)
            except GitFailed:
                data = b""
            self._rows[blob] = (
                () if b"\0" in data else tuple(data.decode("utf-8", "replace").split("\n"))
            )
        return self._rows[blob]

    def _is_here(self, blob: str) -> bool:
        if blob not in self._here:
            try:
                self._here[blob] = self.objects.size(blob) >= 0
            except GitFailed:
                self._here[blob] = False
        return self._here[blob]

    def _is_in_history(self, commit: str) -> bool:
        if commit not in self._ancestors:
            self._ancestors[commit] = self.objects.descends(self.target, commit)
        return self._ancestors[commit]

    def _paths_at(self, commits: Iterable[str | None]) -> set[str]:
        """Return the files of the first of these commits that is in this history."""
        first = next((commit for commit in commits if commit and self._is_in_history(commit)), None)
        return set(_listed(self.place, first)) if first else set()

    @cached_property
    def _blobs(self) -> Mapping[str, str]:
        return _listed(self.place, self.target)

    @cached_property
    def _rows(self) -> dict[str, Sequence[str]]:
        return {}

    @cached_property
    def _here(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _ancestors(self) -> dict[str, bool]:
        return {}


def _listed(place: Place, commit: str) -> Mapping[str, str]:
    """Return the blobs of a commit by path, without links and submodules."""
    told = run_git(place.git("ls-tree", "-r", "-z", "--full-tree", commit), cwd=place.git_dir)
    rows = (row.split(b"\t", 1) for row in told.split(b"\0") if row.startswith(b"100"))
    return {os.fsdecode(path): meta.split(b" ")[2].decode() for meta, path in rows}


def namesake(path: str, among: Iterable[str]) -> str | None:
    """Return the file of the same name in the most similar folder, or the only one."""
    own = PurePosixPath(path).parts
    found = [other for other in among if PurePosixPath(other).name == own[-1]]
    shared = {other: _shared(own, PurePosixPath(other).parts) for other in found}
    best = sorted(found, key=lambda other: (-shared[other], other))[:2]
    if not best or (len(best) > 1 and shared[best[0]] == shared[best[1]]):
        return None
    return best[0] if shared[best[0]] > 1 or (len(found) == 1 and own[-1] not in _COMMON) else None


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _old_name(anchor: Anchor) -> str:
    return f"old/{anchor.blob}/{anchor.path}"


def _state(judged: Judged, path: str) -> State:
    hunk = "\n".join(judged.hunk.split("\n")[:MOST_HUNK])
    left = judged.left if judged.state == "changed" else None
    return State(
        state=judged.state, path=path, lines=judged.lines, left=left, lost=judged.lost, hunk=hunk
    )
