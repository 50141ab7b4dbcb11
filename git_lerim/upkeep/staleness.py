"""Tell whether what a memory claims of some lines is still so: changed lines against identifiers and literals. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from git_lerim.git.definitions import extent, heads
from git_lerim.upkeep.claims import Word, bare, standing, stands
from git_lerim.upkeep.diffs import Hunk, Lines, followed, touching

NEAR = 8  # lines within which words still stand together
MARGIN = 12  # lines around changed ones that are looked at where their definition is not found
TELLING = 9  # characters of a line that could stand nowhere else by chance
ALIKE = 0.5  # of the lines of a piece of code, from which on it is the same one elsewhere

_NAME = re.compile(r"[A-Za-z_$][\w$]*")


@dataclass(frozen=True, slots=True, order=True)
class Lost:
    """A word that was claimed and stands no more where it stood."""

    text: str
    beside: tuple[str, ...] = ()  # of a literal: the names that it stood with; empty: the word itself is gone
    verbatim: bool = False

    def holds(self, rows: Sequence[str]) -> bool:
        """Tell whether it stands in a version of the file."""
        if self.beside:
            return _together(rows, Word(self.text, literal=True), self.beside)
        return stands(Word(self.text, verbatim=self.verbatim), "\n".join(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What became of some lines."""

    state: str  # fresh | moved | changed | gone
    lines: Lines | None  # where they stand now
    left: float = 1.0  # of them, unchanged
    lost: tuple[Lost, ...] = ()
    hunk: str = ""  # that did it


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of a file as they were, and the name of what they define or are part of."""

    rows: Sequence[str]  # of the whole file
    lines: Lines
    symbol: str | None = None

    @property
    def own(self) -> Sequence[str]:
        """The lines themselves."""
        return self.rows[self.lines[0] - 1 : self.lines[1]]


def judge(words: Sequence[Word], piece: Piece, new: Sequence[str], hunks: Sequence[Hunk]) -> Judged:
    """Return what became of some lines in a newer version of their file, and what of the claim is lost."""
    touched = touching(hunks, piece.lines)
    now = followed(hunks, piece.lines)
    if not touched:
        return Judged(state="fresh" if now == piece.lines else "moved", lines=now)
    removed = _removed(piece, touched)
    size = piece.lines[1] - piece.lines[0] + 1
    left = 1 - len(removed) / size
    lost = _lost(words, piece, removed, (new, now))
    hunk = next((hunk.text for hunk in touched if any(_holds(hunk.removed, one.text) for one in lost)), touched[0].text)
    return Judged(state="changed", lines=now, left=round(left, 2), lost=lost, hunk=hunk)


def _removed(piece: Piece, touched: Iterable[Hunk]) -> list[int]:
    first, last = piece.lines
    rows = {number for hunk in touched for number in range(hunk.old[0], hunk.old[0] + hunk.old[1])}
    return sorted(number for number in rows if first <= number <= last)


def _holds(rows: Iterable[str], text: str) -> bool:
    return any(text in row for row in rows)


def _lost(words: Sequence[Word], piece: Piece, removed: Collection[int], then: tuple[Sequence[str], Lines]) -> tuple[Lost, ...]:
    """Return what the removed lines had of the claim, and the new file has no more where it belongs."""
    new, now = then
    whole, scope = "\n".join(new), _scope(piece, new, now)
    lost: dict[Lost, None] = {}
    for number in removed:
        row = piece.rows[number - 1]
        here = standing(words, row)
        names = [word for word in words if word in here and not word.literal and not word.verbatim]
        lost |= {Lost(w.text, verbatim=True): None for w in here if w.verbatim and not stands(w, "\n".join(scope))}
        kept = [word for word in names if stands(word, whole)]
        lost |= dict.fromkeys(Lost(word.text) for word in names if word not in kept)
        for word in (word for word in words if word in here and word.literal):
            beside = tuple(one.text for one in kept) or tuple(_beside(row, word))
            if not _together(scope, word, beside):
                lost[Lost(word.text, beside)] = None
        if len(kept) > 1 and not _all_together(scope, kept):
            others = {word: tuple(one.text for one in kept if one != word) for word in kept}
            lost |= {Lost(word.text, others[word]): None for word in kept if not any(stands(word, line) for line in scope)}
    return tuple(lost)


def _scope(piece: Piece, new: Sequence[str], now: Lines) -> Sequence[str]:
    """Return the lines of the new file in which the claim has its place: its definition, else what came instead."""
    name = (piece.symbol or "").rpartition(".")[2]
    found = [extent(new, head) for head in heads(new, name)] if name else []
    if found:
        return [row for first, last in found for row in new[first - 1 : last]]
    return new[max(now[0] - 1 - MARGIN, 0) : now[1] + MARGIN]


def _beside(row: str, word: Word) -> list[str]:
    """Return the names next to a literal in its line: of the value that it is."""
    before, _, after = row.partition(word.text)
    return [*_NAME.findall(before)[-2:], *_NAME.findall(after)[:1]]


def _together(scope: Sequence[str], word: Word, beside: Sequence[str]) -> bool:
    """Tell whether a literal stands in a line, or next to one, with any of the names that it stood beside."""
    for number, row in enumerate(scope):
        if stands(word, row):
            near = "\n".join(scope[max(number - 2, 0) : number + 3])
            if not beside or any(stands(Word(name), near) for name in beside):
                return True
    return False


def _all_together(scope: Sequence[str], words: Sequence[Word]) -> bool:
    """Tell whether some names still stand within a few lines of each other."""
    at = [number for number, row in enumerate(scope) if stands(words[0], row)]
    return any(
        all(any(stands(word, row) for row in scope[max(number - NEAR, 0) : number + NEAR]) for word in words) for number in at
    )


def gone(words: Sequence[Word], piece: Piece) -> Judged:
    """Return that lines stand nowhere now, with all that was claimed of them."""
    text = "\n".join(piece.own)
    return Judged(state="gone", lines=None, left=0.0, lost=tuple(Lost(word.text) for word in words if stands(word, text)))


def share_in(piece: Piece, rows: Collection[str]) -> float:
    """Return how many of the lines that say something stand among some others, which are `bare`."""
    own = [bare(row) for row in piece.own if len(row.strip()) >= TELLING]
    return sum(row in rows for row in own) / len(own) if own else 0.0
