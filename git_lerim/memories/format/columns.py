"""The schema of memories: each field's type, default, merge rule and whether it is compared.

A class describes its fields where it declares them: `name: type = field(default=…,
metadata=column(FORM, …))`. Everything that reads, writes, merges, compares or shows a memory goes
through `columns_of`, and names only fields that it has a special rule for.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum, auto
from operator import attrgetter
from typing import Any, Generic, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories.format.forms import Form, Maybe, Redact, absent, read_list

T = TypeVar("T")


class Merge(Enum):
    """How two versions of a field are merged: without a base, and with one."""

    TEXT = auto()  # the text and its origin, which stay together
    TAGS = auto()  # those of the winning text; with a base, by what was added and removed
    FIRST = auto()  # the earliest
    LAST = auto()  # the latest
    CHANGED = auto()  # the time of the last change
    STATE = auto()  # archived wins, then the later change
    EITHER = auto()  # true wins; with a base, the side that changed it
    CONFIDENCE = auto()  # that of the winning text, but 0 wins: the session withdrew its memory
    SOURCES = auto()  # all of them, each once
    # those of the side that a person confirmed last; else those of the side that changed last, or
    # with a base by what was added and removed
    ANCHORS = auto()
    LINKS = auto()  # all of them; with a base, by what was added and removed
    FEEDBACK = (
        auto()
    )  # the last of each author's verdicts; with a base, without what one side removed
    VALUE = auto()  # the later change, then the greater value: the default rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One field of a memory, or of a row in a memory, as declared by `column`."""

    name: str
    form: Form[Any]
    merge: Merge = Merge.VALUE
    default: Any = MISSING
    # computes the value for a file that lacks this field, from the fields before it
    missing: Callable[[Mapping[str, Any]], Any] | None = None
    compared: bool = True  # whether `diff` lists its changes
    # the label in `show`; None: the field's name; empty: `show` prints the field in another way
    label: str | None = None
    in_head: bool = True  # whether it is in the front matter
    sparse: bool = False  # whether files omit it if it is empty

    @property
    def optional(self) -> bool:
        """Whether a file may lack this field."""
        return self.missing is not None or self.default is not MISSING

    def when_missing(self, before: Mapping[str, Any]) -> Any:
        """Return the field's value for a file that lacks it, given the values of earlier fields."""
        if self.missing is not None:
            return self.missing(before)
        return self.form.read(self.name, None) if self.default is MISSING else self.default


def column(form: Form[Any], merge: Merge = Merge.VALUE, **details: Any) -> Mapping[str, Any]:
    """Return the metadata that makes a dataclass's field a column."""
    return {"column": {"form": form, "merge": merge, **details}}


def columns_of(kind: type[Any]) -> tuple[Column, ...]:
    """Return the columns of a class, in order."""
    found = [each for each in fields(kind) if "column" in each.metadata]
    return tuple(
        Column(**{"name": each.name, "default": each.default, **each.metadata["column"]})
        for each in found
    )


class Scanner(Generic[T]):
    """A fast constructor for values of a class, from the texts of their columns.

    It fills the slots itself, without `__init__`, because a store has tens of thousands of values;
    so the class must have slots.
    """

    def __init__(self, kind: type[T], columns: Iterable[Column]) -> None:
        """Initialize with the class, and the columns in the order of the texts."""
        self._kind = kind
        self._steps = [(getattr(kind, each.name).__set__, *_reader(each)) for each in columns]

    def make(self, parts: Iterable[str | None]) -> T:
        """Return a value in normal form; a missing text means the default.

        Raises ValueError or KeyError, as forms do.
        """
        made = object.__new__(self._kind)
        for part, (put, plain, default, scan) in zip(parts, self._steps, strict=True):
            put(made, default if part == plain or part is None else scan(part))
        return made


def _reader(each: Column) -> tuple[str, Any, Callable[[str], Any]]:
    """Return the text of a column's default, the default itself, and a parser for other texts."""
    form = each.form
    if not each.optional or each.missing:
        return "", None, form.scan
    scan = form.scan_present if isinstance(form, Maybe) and each.default is None else form.scan
    return form.write(each.default), each.default, scan


class Row(Form[T]):
    """The form of a value whose class has columns, such as a source; it is written on one line.

    The line is `{name: value, …}`, or `[value, …]` without names.
    """

    def __init__(
        self, kind: type[T], *, named: bool = True, first: str = "", words: Callable[[T], str] = str
    ) -> None:
        """Initialize with a row's class, the column to sort by first, and how to show a row."""
        self._kind = kind
        self._named = named
        self._words = words
        self._columns: tuple[Column, ...] = columns_of(kind)
        self._scanner = Scanner(kind, self._columns)
        self._values = attrgetter(*(each.name for each in self._columns))
        self._ordered = sorted(self._columns, key=lambda each: each.name != first)
        shown = "".join(
            (
                rf"(?:, {self._key(each)}({each.form.pattern}))"
                + ("?" if each.optional and named else "")
            )
            for each in self._columns
        )
        self._whole = re.compile(
            (r"\{" if named else r"\[")
            + shown.replace("(?:, ", "(?:", 1)
            + (r"\}" if named else r"\]")
        )
        self.pattern = r"\{[^\n]*\}" if named else r"\[[^\n]*\]"

    def _key(self, each: Column) -> str:
        return f"{each.name}: " if self._named else ""

    def read(self, name: str, value: Any) -> T:
        """Convert a mapping of fields, or a list of fields if rows have no names, to a row."""
        given = value if isinstance(value, dict) else self._by_place(name, value)
        made: dict[str, Any] = {}
        for each in self._columns:
            missing = each.optional and absent(given.get(each.name))
            made[each.name] = (
                each.when_missing(made)
                if missing
                else each.form.read(each.name, given.get(each.name))
            )
        return self._kind(**made)

    def _by_place(self, name: str, value: Any) -> dict[str, Any]:
        if self._named:
            raise BadMemory(f"`{name}` must be a mapping such as {{{self._columns[0].name}: …}}")
        items = read_list(name, value)
        if len(items) != len(self._columns):
            raise BadMemory(
                f"each item of `{name}` must be a list of"
                f" {', '.join(each.name for each in self._columns)}"
            )
        return {each.name: item for each, item in zip(self._columns, items, strict=True)}

    def clean(self, value: T) -> T:
        """Return the row with each field in normal form."""
        return self._kind(
            **{each.name: each.form.clean(getattr(value, each.name)) for each in self._columns}
        )

    def write(self, value: T) -> str:
        """Return the row as written in a file."""
        shown = [
            f"{self._key(each)}{each.form.write(one)}"
            for each, one in zip(self._columns, self._values(value), strict=True)
        ]
        return f"{{{', '.join(shown)}}}" if self._named else f"[{', '.join(shown)}]"

    def scan(self, shown: str) -> T:
        """Parse the row from its text in a file. Raises ValueError or KeyError."""
        if not (found := self._whole.fullmatch(shown)):
            raise ValueError(shown)
        return self._scanner.make(found.groups())

    def json(self, value: T) -> dict[str, Any]:
        """Return the row's fields by name, for JSON."""
        return {each.name: each.form.json(getattr(value, each.name)) for each in self._columns}

    def lines(self, value: T) -> list[str]:
        """Return the row as a single line for people to read."""
        return [self._words(value)]

    def redact(self, value: T, redact: Redact) -> tuple[T, int]:
        """Redact the secrets in a row; return the row, and the number of secrets found."""
        redacted = {
            each.name: each.form.redact(getattr(value, each.name), redact) for each in self._columns
        }
        found = sum(count for _, count in redacted.values())
        return (
            (self._kind(**{name: shown for name, (shown, _) in redacted.items()}), found)
            if found
            else (value, 0)
        )

    def order(self, value: T) -> tuple[Any, ...]:
        """Return a sort key that compares column by column."""
        return tuple(each.form.order(getattr(value, each.name)) for each in self._ordered)


class Rows(Form[tuple[T, ...]], Generic[T]):
    """The form of a list of rows, one per line; in normal form, they are sorted and unique."""

    pattern = r"(?: \[\]|(?:\n  - [{\[][^\n]*[}\]])+)"
    block = True

    def __init__(
        self,
        row: Row[T],
        joined: Callable[[Iterable[T]], Iterable[T]] = set,
        *,
        without_secrets: bool = False,
    ) -> None:
        """Initialize with the form of a row, and a function that joins rows.

        With `without_secrets`, a row with a secret is dropped instead of redacted.
        """
        self.row = row
        self._joined = joined
        self._without_secrets = without_secrets

    def read(self, name: str, value: Any) -> tuple[T, ...]:
        """Return the rows for a list in front matter."""
        return tuple(self.row.read(name, item) for item in read_list(name, value))

    def clean(self, value: tuple[T, ...]) -> tuple[T, ...]:
        """Return the rows in normal form, joined and sorted."""
        return self._in_order([self.row.clean(each) for each in value]) if value else ()

    def _in_order(self, rows: list[T]) -> tuple[T, ...]:
        return (
            tuple(sorted(self._joined(rows), key=self.row.order)) if len(rows) > 1 else tuple(rows)
        )

    def write(self, value: tuple[T, ...]) -> str:
        """Return the rows as written in a file, one per line."""
        return "".join([f"\n  - {self.row.write(each)}" for each in value]) or " []"

    def scan(self, shown: str) -> tuple[T, ...]:
        """Parse the rows from their text in a file."""
        return self._in_order([self.row.scan(each) for each in shown.split("\n  - ")[1:]])

    def json(self, value: tuple[T, ...]) -> list[Any]:
        """Return the rows as a list for JSON."""
        return [self.row.json(each) for each in value]

    def lines(self, value: tuple[T, ...]) -> list[str]:
        """Return a line for each row, for people to read."""
        return [shown for each in value for shown in self.row.lines(each)]

    def redact(self, value: tuple[T, ...], redact: Redact) -> tuple[tuple[T, ...], int]:
        """Redact the secrets in the rows; return the rows, and the number of secrets found.

        With `without_secrets`, a row that has a secret is dropped instead.
        """
        redacted = [self.row.redact(each, redact) for each in value]
        kept = tuple(row for row, found in redacted if not (found and self._without_secrets))
        return kept, sum(found for _, found in redacted)

    def order(self, value: tuple[T, ...]) -> tuple[Any, ...]:
        """Return a sort key that compares row by row."""
        return tuple(map(self.row.order, value))
