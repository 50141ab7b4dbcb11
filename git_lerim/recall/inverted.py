"""Invert documents: from each document to its terms, and from each term to the documents that have it.

What a term's documents say of it stands in two arrays that a search reads as they are: the keys, and for each a code of count and
length. They are kept in pieces that are cheap to rewrite.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from operator import itemgetter, lt
from sys import byteorder
from typing import TypeAlias

from git_lerim.recall.reader import ALL, Document, length_code
from git_lerim.recall.terms import fold, terms

Entries: TypeAlias = "array[int]"  # a document's key, and what its weight follows from; then those of the next
Piece: TypeAlias = "tuple[int, str, int, bytes, bytes]"  # area, term, the first key, keys, codes
GONE = -1  # in place of that: it has the term no more
PIECE = 512  # documents of a term in one row

# What a word counts in each field; one in the body counts 1.
TITLE = 3
ASIDE = 2  # in tags, and in the paths and symbols of anchors


class Terms:
    """What documents say of each term, until it is written."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.sizes: Counter[str] = Counter()  # how many documents and words came or went, by area
        self._log: defaultdict[int, defaultdict[str, Entries]] = defaultdict(_by_term)  # by area and term, in order

    def add(self, document: Document, area: int) -> None:
        """Note that a document is in an area now."""
        codes, words = coded(document)
        self.sizes[f"documents{area}"] += 1
        self.sizes[f"words{area}"] += words
        log, key = self._log[area], document.key
        for term, code in codes.items():
            entries = log[term]
            entries.append(key)
            entries.append(code)

    def remove(self, document: Document, area: int) -> None:
        """Note that a document is in an area no more."""
        codes, words = coded(document)
        self.sizes.update({f"documents{area}": -1, f"words{area}": -words})
        for term in codes:
            self._log[area][term].extend((document.key, GONE))

    def taken(self) -> Iterator[tuple[int, str, Entries]]:
        """Yield what is said of each term in each area, in order, and forget it."""
        for area in sorted(self._log):
            for term, entries in sorted(self._log.pop(area).items(), key=itemgetter(0)):
                yield area, term, entries


def pieces(area: int, term: str, entries: Entries) -> Iterable[Piece]:
    """Return the rows that hold what is said of a term; of a document said twice, the last counts."""
    if len(entries) == 2 and entries[1] != GONE:  # most terms are rare
        key, code = entries
        return ((area, term, key, key.to_bytes(8, byteorder), code.to_bytes(2, byteorder)),)
    keys, codes = entries[::2], entries[1::2]
    if GONE in codes or not all(map(lt, keys, keys[1:])):
        last = dict(zip(keys, codes, strict=True))
        keys = array("q", sorted(key for key in last if last[key] != GONE))
        codes = array("q", map(last.__getitem__, keys))
    count = max(round(len(keys) / PIECE), 1)
    step = -(-len(keys) // count) or 1
    return [
        (area, term, keys[start], keys[start : start + step].tobytes(), array("H", codes[start : start + step]).tobytes())
        for start in range(0, len(keys), step)
    ]


def _by_term() -> defaultdict[str, Entries]:
    return defaultdict(partial(array, "q"))


def coded(document: Document) -> tuple[dict[str, int], int]:
    """Return a document's terms, each with what its weight follows from, and how many words the document has."""
    body = terms(document.body)
    words = len(body)
    counts: dict[str, int] = Counter(body)
    places = " ".join(f"{path} {symbol}" for path, _, _, _, symbol in places_of(document))
    for text, weight in ((document.title, TITLE), (f"{document.tags}\n{places}", ASIDE)):
        found = terms(text)
        words += len(found)
        for term in found:
            counts[term] = counts.get(term, 0) + weight
    length = length_code(words)
    codes = {term: (count if count < 256 else 255) << 8 | length for term, count in counts.items()}
    codes |= dict.fromkeys(_marks(document), 0)
    return codes, words


def places_of(document: Document) -> list[list[str]]:
    """Return the anchors of a document: path, blob, first line, last line, symbol."""
    return [line.split("\t") for line in document.anchors.split("\n") if line]


def _marks(document: Document) -> list[str]:
    """Return what a document is found by where a query narrows: `=kind:pitfall`, `=path:src`; and `=`, which all have."""
    marks = [ALL, f"=primitive:{document.primitive}", f"=kind:{document.kind}"]
    marks += [f"=tag:{fold(tag)}" for tag in document.tags.split("\n") if tag]
    marks += [f"=agent:{fold(agent)}" for agent in (document.agent or "").split("\n") if agent]
    for path, *_ in places_of(document):
        marks += _marks_of(path)
    return marks


@lru_cache(1 << 14)
def _marks_of(path: str) -> list[str]:
    steps = path.split("/")
    return [f"=path:{steps[-1]}", *("=path:" + "/".join(steps[:end]) for end in range(1, len(steps) + 1))]
