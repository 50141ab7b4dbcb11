"""The terms of new documents in a second process, while the first one reads the next files and stores what is in them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice, starmap
from operator import attrgetter
from typing import Self

import msgspec

from git_lerim.recall.inverted import Piece, Terms, pieces
from git_lerim.recall.reader import Document
from git_lerim.second import Second, answer

_TOGETHER = 200  # rows of one frame
_END = b"\xc0"  # nil: that was all, now the rows

_packed = msgspec.msgpack.encode
_told = msgspec.msgpack.decode
_rows = msgspec.msgpack.Decoder(list[tuple[int, str, int, bytes, bytes]])
_values = attrgetter(*Document.__slots__)


class Beside:
    """The second process, which takes documents and gives rows. Every method may raise `second.Ended`."""

    def __init__(self) -> None:
        """Start it."""
        self.sizes: Counter[str] = Counter()
        self._second = Second("git_lerim.recall.beside")

    def __enter__(self) -> Self:
        """Return this."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it, whatever it is at."""
        self._second.kill()
        self._second.close()

    def add(self, document: Document, area: int) -> None:
        """Note that a new document is in an area."""
        self._second.send(_packed((area, _values(document))), now=False)

    def rows(self) -> Iterator[Piece]:
        """Yield the rows of all that was added since the last time."""
        self._second.send(_END)
        self.sizes.update(_told(self._second.receive(), type=dict[str, int]))
        while rows := _rows.decode(self._second.receive()):
            yield from rows


def main() -> None:
    """Take documents and give their rows, until there are no more."""
    terms = Terms()

    def said(frame: bytes) -> Iterable[bytes]:
        if frame == _END:
            yield _packed(terms.sizes)
            terms.sizes.clear()
            rows = chain.from_iterable(starmap(pieces, terms.taken()))
            while some := list(islice(rows, _TOGETHER)):
                yield _packed(some)
            yield _packed([])
        else:
            area, values = _told(frame)
            terms.add(Document(values), area)

    answer(said)


if __name__ == "__main__":
    main()
