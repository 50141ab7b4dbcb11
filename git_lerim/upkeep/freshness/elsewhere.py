"""Find code that moved to another file, using its lines and the names in it."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from git_lerim.git.history.definitions import Lines, bodies
from git_lerim.upkeep.freshness.claims import bare
from git_lerim.upkeep.freshness.snapshot import Snapshot
from git_lerim.upkeep.freshness.staleness import ALIKE, TELLING, Lost, Piece, share_in

MOST = 40  # files searched for a name; a more frequent name is no evidence
LIKE = 0.3  # share of equal lines from which a definition of the same name counts as the same

_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def names_in(lost: Iterable[Lost]) -> Iterator[str]:
    """Yield the lost names; for a lost literal, yield the names beside it instead."""
    for one in lost:
        yield from one.beside or _NAME.findall(_STRING.sub("", one.text))


class Elsewhere:
    """A search for code in the files of a commit that contain certain names."""

    def __init__(self, code: Snapshot, wanted: Collection[str], suffixes: Collection[str]) -> None:
        """Look for names in the files that have one of the suffixes."""
        self._code = code
        self._bare: dict[str, frozenset[str]] = {}  # lines, by path
        self._with: dict[str, list[str]] = {}
        names = {name for name in wanted if _NAME.fullmatch(name)}
        for path in code.blobs:
            if names and PurePosixPath(path).suffix in suffixes:
                for name in names.intersection(_NAME.findall("\n".join(code.file(path)))):
                    self._with.setdefault(name, []).append(path)

    def place_of(self, piece: Piece, lost: Iterable[Lost], not_in: str) -> tuple[str, Lines] | None:
        """Return the path and lines where a piece of code is now, in a file other than `not_in`.

        Returns None if no other file has it.
        """
        lost = list(lost)
        names = [one.text for one in lost if not one.beside and _NAME.fullmatch(one.text)] or list(
            names_in(lost)
        )
        if not names:
            return None
        paths = set.intersection(*(set(self._with.get(name, ())) for name in names)) - {not_in}
        best: tuple[float, str] | None = None
        for path in sorted(paths) if len(paths) <= MOST else ():
            rows = self._code.file(path)
            share = share_in(piece, self._bare_rows(path))
            if (
                share >= ALIKE
                and all(one.holds(rows) for one in lost)
                and (best is None or share > best[0])
            ):
                best = share, path
        return (best[1], self._lines(piece, best[1])) if best else None

    def definition_of(self, piece: Piece, not_in: str) -> tuple[str, Lines] | None:
        """Return the path and lines where the definition around a piece of code is now.

        Returns None if no file except `not_in` has a definition that is clearly the same.
        """
        outer, _, name = (piece.symbol or "").rpartition(".")
        whole = bodies(piece.rows, piece.symbol or "")
        if not whole:
            return None
        paths = set(self._with.get(name, ())).intersection(
            self._with.get(outer, ()) if outer else self._with.get(name, ())
        )
        found = {
            path: spans
            for path in paths - {not_in}
            if (spans := self._bodies(path, piece.symbol or ""))
        }
        shares = {
            path: share_in(replace(piece, lines=whole[0]), self._bare_rows(path)) for path in found
        }
        best = min(found, key=lambda path: (-shares[path], path), default=None)
        is_sure = best is not None and (
            shares[best] >= LIKE or (len(found) == 1 and len(name) >= TELLING)
        )
        return (best, found[best][0]) if best is not None and is_sure else None

    def _bodies(self, path: str, symbol: str) -> list[Lines]:
        return bodies(self._code.file(path), symbol)

    def _bare_rows(self, path: str) -> frozenset[str]:
        if path not in self._bare:
            self._bare[path] = frozenset(map(bare, self._code.file(path)))
        return self._bare[path]

    def _lines(self, piece: Piece, path: str) -> Lines:
        own = {bare(row) for row in piece.own if len(row.strip()) >= TELLING}
        found = [number for number, row in enumerate(self._code.file(path), 1) if bare(row) in own]
        first = found[0]
        last = max(
            number for number in found if number - first < 2 * (piece.lines[1] - piece.lines[0] + 1)
        )
        return first, last
