"""Check the anchors of many memories against one commit, with few runs of git.

There is one diff, one listing and one log for all anchors.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from git_lerim.errors import GitFailed
from git_lerim.git.engines.objects import Objects
from git_lerim.git.history import compare
from git_lerim.git.history.definitions import Lines, bodies
from git_lerim.git.repo import Place
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.claims import Word
from git_lerim.upkeep.freshness.culprits import Loss, culprits, was_here
from git_lerim.upkeep.freshness.diffs import FileDiff, by_source, parse
from git_lerim.upkeep.freshness.elsewhere import Elsewhere, names_in
from git_lerim.upkeep.freshness.rejected import claimed_words
from git_lerim.upkeep.freshness.renames import namesake
from git_lerim.upkeep.freshness.returned import returned
from git_lerim.upkeep.freshness.snapshot import Snapshot
from git_lerim.upkeep.freshness.staleness import Judged, Lost, Piece, gone, judge, judge_at

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
    """The new state of one anchor."""

    state: str  # fresh | moved | changed | gone | unknown
    path: str  # where the code is now, or was
    lines: Lines | None = None
    left: float | None = None  # share of unchanged lines, if edited
    lost: tuple[Lost, ...] = ()
    hunk: str = ""
    since: str = ""  # the commit that removed the lost words, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The new state of each anchor of a memory, and whether the memory is therefore stale."""

    states: tuple[State, ...]

    @property
    def cause(self) -> State | None:
        """The state of the first anchor that makes the memory stale, or None."""
        return next((state for state in self.states if state.lost), None)


@dataclass(slots=True)
class _Case:
    """An anchor that has lines, and whose file has changed."""

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
    """A check of anchors against one commit; `known` is a cache that may be stored."""

    place: Place
    objects: Objects
    target: str
    known: Cache = field(default_factory=dict)
    _moved: dict[str, str] = field(default_factory=dict)  # new path of moved files by old path

    def verdicts(self, claims: Sequence[Claim]) -> dict[str, Verdict]:
        """Map the id of each memory to the verdict on it."""
        cases: dict[tuple[str, int], _Case] = {}
        back: dict[tuple[str, int], Loss] = {}  # whole files with what was replaced
        states: dict[str, list[State]] = {}
        for claim in claims:
            words: dict[str | None, tuple[Word, ...]] = {}
            own = states.setdefault(claim.id, [])
            for number, anchor in enumerate(claim.anchors):
                state = self._at_once(anchor)
                if state.state == "changed" and anchor.lines:
                    if anchor.blob not in words:
                        words[anchor.blob] = claimed_words(
                            claim.title, claim.body, self.code.rows(anchor.blob or "")
                        )
                    cases[claim.id, number] = _Case(
                        anchor, words[anchor.blob], self.code.blobs.get(anchor.path)
                    )
                elif state.state == "changed" and self.code.has(anchor.blob or ""):
                    if loss := self._returned(claim, anchor):
                        back[claim.id, number] = loss
                elif state.state == "gone" and self.code.has(anchor.blob or ""):
                    cases[claim.id, number] = _Case(anchor, (), None)
                own.append(state)
        self._judge(list(cases.values()))
        for (id_, number), case in cases.items():
            states[id_][number] = _settled(case, states[id_][number])
        sinces = culprits(self.code, [*back.values()])
        for ((id_, number), loss), since in zip(back.items(), sinces, strict=True):
            states[id_][number] = replace(states[id_][number], lost=loss.lost, since=since)
        return {id_: Verdict(states=tuple(own)) for id_, own in states.items()}

    def _at_once(self, anchor: Anchor) -> State:
        """Return an anchor's state as far as blob ids show it; `changed` needs a closer look."""
        now = self.code.blobs.get(anchor.path)
        if anchor.blob is None:
            return State(state="unknown", path=anchor.path, lines=anchor.lines)
        if now == anchor.blob:
            return State(state="fresh", path=anchor.path, lines=anchor.lines)
        if anchor.lines is None:
            return State(state="gone" if now is None else "changed", path=anchor.path)
        return State(
            state="changed" if self.code.has(anchor.blob) else "unknown",
            path=anchor.path,
            lines=anchor.lines,
        )

    def _returned(self, claim: Claim, anchor: Anchor) -> Loss | None:
        """Return the words that were replaced in a whole file and are in it again, if any."""
        then, now = self.code.rows(anchor.blob or ""), self.code.rows(self.code.blobs[anchor.path])
        back = returned(claim.title, claim.body, then, now)
        if not back or not was_here(self.code, anchor.commit):
            return None
        paths = (anchor.path, anchor.path)
        return Loss(lost=back, paths=paths, commit=anchor.commit, blob=anchor.blob)

    def _judge(self, cases: Sequence[_Case]) -> None:
        for case in cases:
            case.found = self._from_known(case)
        new = [case for case in cases if case.found is None]
        if not new:
            return
        diffs = self._diffs(new)
        for case in new:
            case.found = self._compared(case, diffs.get(_old_name(case.anchor)))
        self._look_elsewhere(new)
        self._find_culprits([case for case in new if case.found and case.found.lost])
        self.known |= {
            case.key: case.found
            for case in new
            if case.found
            and case.now
            and case.found.path == case.anchor.path
            and case.found.state != "unknown"
        }

    def _from_known(self, case: _Case) -> State | None:
        found = self.known.get(case.key)
        if found and found.since and not self.code.descends_from(found.since):
            return None
        return found

    def _diffs(self, cases: Iterable[_Case]) -> Mapping[str, FileDiff]:
        """Map the old name of each changed or renamed file to its diff."""
        old = {_old_name(case.anchor): case.anchor.blob or "" for case in cases}
        new = {_old_name(case.anchor): case.now for case in cases if case.now}
        gone_ones = [case for case in cases if case.now is None]
        if gone_ones:
            suffixes = {PurePosixPath(case.anchor.path).suffix for case in gone_ones}
            before = self.code.paths_before(case.anchor.commit for case in gone_ones)
            added = {
                path
                for path in self.code.blobs.keys() - before
                if PurePosixPath(path).suffix in suffixes
            }
            self._moved |= {
                path: to
                for path in {case.anchor.path for case in gone_ones}
                if (to := namesake(path, added))
            }
            new |= {
                _old_name(c.anchor): self.code.blobs[to]
                for c in gone_ones
                if (to := self._moved.get(c.anchor.path))
            }
            new |= {
                f"new/{path}": self.code.blobs[path]
                for path in added.difference(self._moved.values())
            }
        try:
            return by_source(parse(compare.diff_of(self.place, old, new)))
        except GitFailed:
            return {}

    def _compared(self, case: _Case, diff: FileDiff | None) -> State:
        anchor = case.anchor
        piece = self._piece(anchor)
        path = anchor.path if case.now else self._moved.get(anchor.path)
        if path is None and diff and diff.target.startswith("new/"):
            path = diff.target.removeprefix("new/")
        if path is None:
            return _state(gone(case.words, piece), anchor.path)
        blob = self.code.blobs[path]
        if (diff is None and blob != anchor.blob) or not self.code.has(blob):
            # binary, or git could not compare it
            return State(state="unknown", path=path, lines=anchor.lines)
        judged = judge(case.words, piece, self.code.file(path), diff.hunks if diff else ())
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
        suffixes = {PurePosixPath(case.anchor.path).suffix for case in lost}
        elsewhere = Elsewhere(self.code, wanted, suffixes)
        for case in lost:
            case.found = self._find_moved(case, elsewhere) or case.found

    def _find_moved(self, case: _Case, elsewhere: Elsewhere) -> State | None:
        """Return the state of lines that moved to another file, alone or with their definition."""
        state, piece = case.found, self._piece(case.anchor)
        if state is None:
            return None
        there = state.path if state.path in self.code.blobs else ""
        if found := elsewhere.place_of(piece, state.lost, not_in=there if case.now else ""):
            return State(state="moved", path=found[0], lines=found[1], left=state.left)
        if there and bodies(self.code.file(there), case.anchor.symbol or ""):
            return None
        if found := elsewhere.definition_of(piece, not_in=there):
            path, lines = found
            return _state(judge_at(case.words, piece, self.code.file(path), lines), path)
        return None

    def _find_culprits(self, cases: Iterable[_Case]) -> None:
        found = [(case, case.found) for case in cases if case.found]
        losses = [
            Loss(lost=s.lost, paths=(s.path, a.path), commit=a.commit, blob=a.blob)
            for a, s in ((case.anchor, s) for case, s in found)
        ]
        for (case, state), commit in zip(found, culprits(self.code, losses), strict=True):
            if commit or was_here(self.code, case.anchor.commit):
                case.found = replace(state, since=commit)
            else:  # the anchored code is on a branch that was never merged
                case.found = State(state="unknown", path=state.path, lines=case.anchor.lines)

    @cached_property
    def code(self) -> Snapshot:
        """The files of the commit."""
        return Snapshot(self.place, self.objects, self.target)

    def _piece(self, anchor: Anchor) -> Piece:
        """Return the lines of an anchor in the file as it was when anchored."""
        return Piece(self.code.rows(anchor.blob or ""), anchor.lines or (1, 1), anchor.symbol)


def _settled(case: _Case, state: State) -> State:
    """Return the state of an anchor whose case has been judged."""
    if case.anchor.lines:
        return case.found or state
    if case.found and case.found.path != case.anchor.path:  # the whole file
        return State(state="moved", path=case.found.path)
    return state


def _old_name(anchor: Anchor) -> str:
    return f"old/{anchor.blob}/{anchor.path}"


def _state(judged: Judged, path: str) -> State:
    hunk = "\n".join(judged.hunk.split("\n")[:MOST_HUNK])
    left = judged.left if judged.state == "changed" else None
    return State(
        state=judged.state, path=path, lines=judged.lines, left=left, lost=judged.lost, hunk=hunk
    )
