"""Filters of a search, from options and from the query, as an FTS5 expression.

This module imports little, so that `git lerim search` starts quickly.
"""

from collections.abc import Sequence
from math import ceil

from git_lerim.recall.index.index_reader import ALL, HIGHEST, KEY_BITS, any_of, mark, quoted
from git_lerim.recall.index.terms import fold, terms
from git_lerim.recall.search.query import FIELDS, Query

NOTES = {"summary", "handoff"}


class Filters:
    """The filters that were given as options of a search."""

    __slots__ = ("agent", "everything", "kind", "matching", "path", "primitive", "since", "tag")

    def __init__(  # noqa: PLR0913 each narrows by itself
        self,
        *,
        primitive: str | None = None,
        kind: str | None = None,
        tag: str | None = None,
        agent: str | None = None,
        path: str | None = None,
        since: str | None = None,
        everything: bool = False,
        matching: Sequence[str] = (),
    ) -> None:
        """Initialize with the filters; `everything` adds memories that are not active.

        `matching` are FTS5 expressions that every hit must match.
        """
        self.primitive = primitive
        self.kind = kind
        self.tag = tag
        self.agent = agent
        self.path = path
        self.since = since
        self.everything = everything
        self.matching = matching

    def of(self, term: str) -> "Filters":
        """Return the same filters with one more term, such as `OWN`, that every hit must have."""
        found = Filters()
        for name in self.__slots__:
            setattr(found, name, getattr(self, name))
        found.matching = (*self.matching, quoted(term))
        return found


class Conditions:
    """The conditions that a query and its filters impose on every hit."""

    __slots__ = ("areas", "expression", "fields", "since")

    def __init__(self, query: Query, filters: Filters, now: float | None) -> None:
        """Combine query and filters; relative dates count from `now`, in seconds."""
        self.fields = {name: list(values) for name, values in query.fields.items()}
        for name in FIELDS:
            value = getattr(filters, name)
            if value is not None:
                self.fields.setdefault(name, []).append(str(value))
        self.areas = _areas(self.fields, everything=filters.everything)
        # for FTS5; empty without conditions
        self.expression = _expression(query, self.fields, filters.matching)
        self.since = _since(self.fields.get("since", []), now)  # the lowest key

    @property
    def all(self) -> str:
        """The FTS5 expression for all documents that meet the conditions."""
        return self.expression or quoted(ALL)

    def also(self, expression: str) -> str:
        """Return the FTS5 expression for documents that also match another expression."""
        return f"{self.expression} AND {expression}" if self.expression else expression


def _areas(fields: dict[str, list[str]], *, everything: bool) -> list[int]:
    asked = {fold(value) for name in ("primitive", "kind") for value in fields.get(name, ())}
    areas = [1] if asked & NOTES else [0]
    return [*areas, areas[0] + 2] if everything else areas


def _expression(query: Query, fields: dict[str, list[str]], matching: Sequence[str]) -> str:
    demanded = [
        _mark(name, value)
        for name, values in fields.items()
        for value in values
        if name != "since" and value
    ]
    demanded += [
        term for phrase in query.phrases for term in terms(" ".join(phrase)) if term in query.terms
    ]
    found = " AND ".join((*matching, *map(quoted, demanded)))
    if query.without:
        return f"(({found or quoted(ALL)}) NOT {any_of(query.without)})"
    return f"({found})" if found else ""


def _mark(name: str, value: str) -> str:
    if name == "path":
        return mark(name, value.strip("/").removeprefix("./"))
    folded = fold(value)
    return mark(
        "primitive" if folded in NOTES or folded in {"decision", "learning"} else name, folded
    )


def _since(values: list[str], now: float | None) -> int:
    moments = [moment for value in values if (moment := _moment(value, now)) is not None]
    return max(0, min(ceil(max(moments)), HIGHEST)) << KEY_BITS if moments else 0


def _moment(text: str, now: float | None) -> float | None:
    """Parse a time; return None if the text is not a time, since any query is valid."""
    from git_lerim.git.history import dates  # noqa: PLC0415 few queries need it

    try:
        return dates.parse_time(text, now=now)
    except ValueError:
        return None
