"""Decide whether a claim about lines still holds after they changed. Pure functions."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from git_lerim.git.history.definitions import bodies, enclosing, extent, heads, places
from git_lerim.upkeep.freshness.claims import Word, bare, code_of, code_rows, occurring, occurs
from git_lerim.upkeep.freshness.diffs import Hunk, Lines, follow, touching

NEAR = 8  # lines within which words count as adjacent
MARGIN = 12  # lines of context if the definition is not found
TELLING = 9  # characters of a line that is unlikely to be elsewhere by chance
SAYING = 6  # characters of a string that is meaningful by itself
ALIKE = 0.5  # share of lines from which code elsewhere counts as the same

_NAME = re.compile(r"[A-Za-z_$][\w$]*")


@dataclass(frozen=True, slots=True, order=True)
class Lost:
    """A word of a memory's claim that is no longer where it was in the code."""

    text: str
    beside: tuple[str, ...] = ()  # the names beside a literal; empty if the word itself is gone
    verbatim: bool = False
    within: str = ""  # the definition it was in, if it is still elsewhere in the file

    def holds(self, rows: Sequence[str]) -> bool:
        """Return whether a version of the file still contains the word."""
        if self.within:
            rows = _rows_of(rows, bodies(rows, self.within))
        if self.beside:
            return _together(rows, Word(self.text, literal=True), self.beside)
        return occurs(Word(self.text, verbatim=self.verbatim), "\n".join(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The new state of some lines."""

    state: str  # fresh | moved | changed | gone
    lines: Lines | None  # where they are now
    left: float = 1.0  # share of unchanged lines
    lost: tuple[Lost, ...] = ()
    hunk: str = ""  # the change responsible


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a file as they were, with the symbol that they define or belong to."""

    rows: Sequence[str]  # of the whole file
    lines: Lines
    symbol: str | None = None

    @property
    def own(self) -> Sequence[str]:
        """The lines of this piece, out of those of the whole file."""
        return self.rows[self.lines[0] - 1 : self.lines[1]]


def judge(words: Sequence[Word], piece: Piece, new: Sequence[str], hunks: Sequence[Hunk]) -> Judged:
    """Return the new state of lines in a newer version of their file, with the lost words."""
    touched = touching(hunks, piece.lines)
    now = follow(hunks, piece.lines)
    home = _home(words, piece, new)
    around = [hunk for span in home.before for hunk in touching(hunks, span)] if home else []
    if not touched and not around:
        return Judged(state="fresh" if now == piece.lines else "moved", lines=now)
    removed = _removed(piece, touched)
    left = 1 - len(removed) / (piece.lines[1] - piece.lines[0] + 1)
    lost = (
        *_lost(words, piece, removed, (new, now)),
        *(_lost_from_home(words, piece, home) if home else ()),
    )
    if not touched and not lost:
        return Judged(state="fresh" if now == piece.lines else "moved", lines=now)
    hunk = next(
        (
            hunk.text
            for hunk in (*touched, *around)
            if any(_holds(hunk.removed, one.text) for one in lost)
        ),
        "",
    )
    return Judged(
        state="changed",
        lines=now,
        left=round(left, 2),
        lost=tuple(dict.fromkeys(lost)),
        hunk=hunk or (*touched, *around)[0].text,
    )


def judge_at(words: Sequence[Word], piece: Piece, new: Sequence[str], now: Lines) -> Judged:
    """Judge like `judge`, for lines whose definition is now at lines `now` of another file."""
    there = {bare(row) for row in new[now[0] - 1 : now[1]]}
    removed = [
        number for number, row in enumerate(piece.own, piece.lines[0]) if bare(row) not in there
    ]
    home = _home(words, piece, new)
    lost = tuple(
        dict.fromkeys(
            (
                *_lost(words, piece, removed, (new, now)),
                *(_lost_from_home(words, piece, home) if home else ()),
            )
        )
    )
    return Judged(
        state="moved",
        lines=now,
        left=round(1 - len(removed) / max(len(piece.own), 1), 2),
        lost=lost,
    )


def _removed(piece: Piece, touched: Iterable[Hunk]) -> list[int]:
    first, last = piece.lines
    rows = {number for hunk in touched for number in range(hunk.old[0], hunk.old[0] + hunk.old[1])}
    return sorted(number for number in rows if first <= number <= last)


def _holds(rows: Iterable[str], text: str) -> bool:
    return any(text in row for row in rows)


def _lost(
    words: Sequence[Word], piece: Piece, removed: Collection[int], then: tuple[Sequence[str], Lines]
) -> tuple[Lost, ...]:
    """Return the claimed words that were in removed lines and are missing from the new code."""
    new, now = then
    if not removed:
        return ()
    everywhere = (new, _scope(piece, new, now))
    code = (code_of(tuple(new)), code_rows(everywhere[1]))
    own_code = code_of(tuple(piece.rows))  # a comment does not prove a claim about code
    containers = _containers(words, new)
    lost: dict[Lost, None] = {}
    for number in removed:
        row = piece.rows[number - 1]
        rows, scope = code if own_code[number - 1] else everywhere
        whole = "\n".join(rows)
        here = occurring(words, row)
        names = [word for word in words if word in here and not word.literal and not word.verbatim]
        lost |= {
            Lost(w.text, verbatim=True): None
            for w in here
            if w.verbatim and not occurs(w, "\n".join(scope))
        }
        kept = [word for word in names if occurs(word, whole)]
        lost |= dict.fromkeys(Lost(word.text) for word in names if word not in kept)
        for word in (word for word in words if word in here and word.literal):
            beside = tuple(one.text for one in kept) or tuple(_beside(row, word))
            if not _together(scope, word, beside):
                lost[Lost(word.text, beside)] = None
        kept = [word for word in kept if word.text not in containers]
        if len(kept) > 1 and not _all_together(scope, kept):
            others = {word: tuple(one.text for one in kept if one != word) for word in kept}
            lost |= {
                Lost(word.text, others[word]): None
                for word in kept
                if not any(occurs(word, line) for line in scope)
            }
    return tuple(lost)


def _containers(words: Sequence[Word], rows: Sequence[str]) -> set[str]:
    """Return the named definitions that contain another one, as a class contains a method."""
    names = {word.text for word in words if not word.literal and not word.verbatim}
    defined = {name: heads(rows, name) for name in names}
    inner = [head for found in defined.values() for head in found]
    spans = {name: [extent(rows, head) for head in found] for name, found in defined.items()}
    return {
        name
        for name, found in spans.items()
        if any(a < head <= b for a, b in found for head in inner)
    }


@dataclass(frozen=True, slots=True)
class _Home:
    """A definition that a memory names, before and after the change."""

    symbol: str
    before: Sequence[Lines]
    text: str  # the current text of the definition and of newly called helpers
    around: frozenset[str]  # its own name and those of enclosing definitions


def _home(words: Sequence[Word], piece: Piece, new: Sequence[str]) -> _Home | None:
    """Return the innermost definition that contains the lines and is named by the memory, or None.

    It must still exist in the new version of the file.
    """
    named = {word.text for word in words}
    chain = (piece.symbol or "").split(".")
    for end in range(len(chain), 0, -1):
        symbol = ".".join(chain[:end])
        if (
            chain[end - 1] in named
            and (found := bodies(new, symbol))
            and (before := bodies(piece.rows, symbol))
        ):
            text = "\n".join(code_rows(_with_helpers(new, found, _rows_of(piece.rows, before))))
            return _Home(symbol, before, text, frozenset(chain[:end]))
    return None


def _lost_from_home(words: Sequence[Word], piece: Piece, home: _Home) -> Iterator[Lost]:
    """Yield the claimed words that were in a definition before the change, but not after it."""
    before = "\n".join(code_rows(_rows_of(piece.rows, home.before)))
    for word in words:
        is_sure = not word.literal or (len(word.text) >= SAYING and not word.text.isdecimal())
        if (
            is_sure
            and word.text not in home.around
            and occurs(word, before)
            and not occurs(word, home.text)
        ):
            yield Lost(word.text, verbatim=word.verbatim, within=home.symbol)


def _with_helpers(rows: Sequence[str], found: Sequence[Lines], before: Sequence[str]) -> list[str]:
    """Return a definition's lines, with those that moved into functions which it now calls."""
    own = _rows_of(rows, found)
    stay = {row.strip() for row in own}
    left = {line for row in before if len(line := row.strip()) >= TELLING and line not in stay}
    moved = places(rows, left)
    if not moved:
        return own
    called = {name for row in own for name in _NAME.findall(row)} - {
        name for row in before for name in _NAME.findall(row)
    }
    return own + [
        rows[number - 1]
        for number in moved
        if called.intersection(name for name, _ in enclosing(rows, number))
    ]


def _rows_of(rows: Sequence[str], spans: Iterable[Lines]) -> list[str]:
    return [row for first, last in spans for row in rows[first - 1 : last]]


def _scope(piece: Piece, new: Sequence[str], now: Lines) -> Sequence[str]:
    """Return the new lines that the claim is about: a definition or the surrounding lines."""
    if piece.symbol and (found := bodies(new, piece.symbol)):
        return _with_helpers(new, found, _rows_of(piece.rows, bodies(piece.rows, piece.symbol)))
    return new[max(now[0] - 1 - MARGIN, 0) : now[1] + MARGIN]


def _beside(row: str, word: Word) -> list[str]:
    """Return the names next to a literal in its line."""
    before, _, after = row.partition(word.text)
    return [*_NAME.findall(before)[-2:], *_NAME.findall(after)[:1]]


def _together(scope: Sequence[str], word: Word, beside: Sequence[str]) -> bool:
    """Return whether a literal is still within two lines of a name that was beside it."""
    for number, row in enumerate(scope):
        if occurs(word, row):
            near = "\n".join(scope[max(number - 2, 0) : number + 3])
            if not beside or any(occurs(Word(name), near) for name in beside):
                return True
    return False


def _all_together(scope: Sequence[str], words: Sequence[Word]) -> bool:
    """Return whether all of these names are still within a few lines of each other."""
    at = [number for number, row in enumerate(scope) if occurs(words[0], row)]
    return any(
        all(
            any(occurs(word, row) for row in scope[max(number - NEAR, 0) : number + NEAR])
            for word in words
        )
        for number in at
    )


def gone(words: Sequence[Word], piece: Piece) -> Judged:
    """Return the state of lines that no longer exist: all the claimed words in them are lost."""
    text = "\n".join(piece.own)
    return Judged(
        state="gone",
        lines=None,
        left=0.0,
        lost=tuple(Lost(word.text) for word in words if occurs(word, text)),
    )


def share_in(piece: Piece, rows: Collection[str]) -> float:
    """Return the share of a piece's significant lines that are among `rows`.

    `rows` must be normalised with `bare`.
    """
    own = [bare(row) for row in piece.own if len(row.strip()) >= TELLING]
    return sum(row in rows for row in own) / len(own) if own else 0.0
