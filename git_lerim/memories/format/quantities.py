"""Types of front matter values: times, numbers, flags, and spans of lines or records."""

from datetime import date, datetime
from functools import lru_cache
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories.clean_text import utc
from git_lerim.memories.format.forms import Form, Word, read_list, read_text

_NUMBER = r"(?:0|[1-9][0-9]{0,8})"


@lru_cache(maxsize=256)  # most times of a memory are equal
def _moment(shown: str) -> datetime:
    return datetime.fromisoformat(shown[1:-1])


class Time(Form[datetime]):
    """The type of a time in UTC and whole seconds."""

    pattern = r'"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"'

    def read(self, name: str, value: Any) -> datetime:
        """Convert a text in ISO 8601 to a time. Raises BadMemory for any other text."""
        try:
            return datetime.fromisoformat(read_text(name, value))
        except ValueError:
            raise BadMemory(f"`{name}` must be a time such as 2026-02-20T09:30:45Z") from None

    def clean(self, value: datetime) -> datetime:
        """Convert the time to UTC and whole seconds."""
        return utc(value)

    def write(self, value: datetime) -> str:
        """Return the time in quotes."""
        return f'"{value.isoformat()[:19]}Z"'

    def scan(self, shown: str) -> datetime:
        """Return the time in the quotes. Raises ValueError for a day that does not exist."""
        return _moment(shown)

    def json(self, value: datetime) -> str:
        """Return the time as in the file, but without quotes."""
        return f"{value.isoformat()[:19]}Z"

    def lines(self, value: datetime) -> list[str]:
        """Return one line with the time as in the file, but without quotes."""
        return [self.json(value)]


class Day(Word):
    """The type of a day, YYYY-MM-DD."""

    pattern = '"[0-9]{4}-[0-9]{2}-[0-9]{2}"'

    def read(self, name: str, value: Any) -> str:
        """Return the day as YYYY-MM-DD. Raises BadMemory if the text is not in ISO 8601."""
        try:
            return date.fromisoformat(read_text(name, value)).isoformat()
        except ValueError:
            raise BadMemory(f"`{name}` must be a day such as 2026-02-20") from None

    def scan(self, shown: str) -> str:
        """Return the day in the quotes. Raises ValueError for a day that does not exist."""
        return date.fromisoformat(shown[1:-1]).isoformat()


class Share(Form[float]):
    """The type of a number from 0 to 1 with two decimals."""

    pattern = r"(?:0\.[0-9]{2}|1\.00)"

    def read(self, name: str, value: Any) -> float:
        """Return the number. Raises BadMemory if it is not between 0 and 1."""
        try:
            found = float(read_text(name, value))
        except ValueError:
            found = -1.0
        if not 0.0 <= found <= 1.0:
            raise BadMemory(f"`{name}` must be a number from 0 to 1")
        return found

    def clean(self, value: float) -> float:
        """Round to two decimals, and limit to the range from 0 to 1."""
        return min(max(round(value, 2), 0.0), 1.0) + 0.0

    def write(self, value: float) -> str:
        """Write the number with two decimals."""
        return f"{value:.2f}"

    def scan(self, shown: str) -> float:
        """Parse the number from its text in a file."""
        return float(shown)


class Flag(Form[bool]):
    """The type of a value that is true or false."""

    pattern = "(?:true|false)"

    def read(self, name: str, value: Any) -> bool:
        """Return the flag. Raises BadMemory unless the text is `true` or `false`."""
        found = read_text(name, value)
        if found not in {"true", "false"}:
            raise BadMemory(f"`{name}` must be true or false")
        return found == "true"

    def write(self, value: bool) -> str:  # noqa: FBT001 the value
        """Write `true` or `false`, as in JSON."""
        return "true" if value else "false"

    def scan(self, shown: str) -> bool:
        """Parse the flag from its text in a file."""
        return shown == "true"

    def lines(self, value: bool) -> list[str]:  # noqa: FBT001 the value
        """Return the same word as in the file."""
        return [self.write(value)]


class Count(Form[int]):
    """The type of a whole number of at most nine digits."""

    pattern = _NUMBER

    def read(self, name: str, value: Any) -> int:
        """Return the number. Raises BadMemory for a sign, a fraction or too many digits."""
        found = read_text(name, value)
        if not (found.isascii() and found.isdecimal() and len(found) <= 9):
            raise BadMemory(f"`{name}` must be whole numbers")
        return int(found)

    def write(self, value: int) -> str:
        """Write the number in digits."""
        return str(value)

    def scan(self, shown: str) -> int:
        """Parse the number from its text in a file."""
        return int(shown)


class Span(Form[tuple[int, int]]):
    """The type of a range of lines or records, given by the numbers of the first and last."""

    pattern = rf"\[{_NUMBER}, {_NUMBER}\]"

    def read(self, name: str, value: Any) -> tuple[int, int]:
        """Return the span. Raises BadMemory for anything but two numbers."""
        numbers = [COUNT.read(name, item) for item in read_list(name, value)]
        if len(numbers) != 2:
            raise BadMemory(f"`{name}` must be two numbers, the first and the last")
        return numbers[0], numbers[1]

    def write(self, value: tuple[int, int]) -> str:
        """Return both numbers as a YAML list."""
        return f"[{value[0]}, {value[1]}]"

    def scan(self, shown: str) -> tuple[int, int]:
        """Parse both numbers from their text in a file."""
        first, _, last = shown[1:-1].partition(", ")
        return int(first), int(last)

    def json(self, value: tuple[int, int]) -> list[int]:
        """Return both numbers as a list for JSON."""
        return list(value)


class Spans(Form[tuple[tuple[int, int], ...]]):
    """The type of a list of spans, in order."""

    pattern = rf"\[(?:{Span.pattern}(?:, {Span.pattern})*+)?\]"

    def read(self, name: str, value: Any) -> tuple[tuple[int, int], ...]:
        """Return the spans of a list. Raises BadMemory if an item is not a span."""
        return tuple(SPAN.read(name, item) for item in read_list(name, value))

    def clean(self, value: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        """Return the spans in order, without duplicates."""
        return tuple(sorted(set(value))) if len(value) > 1 else value

    def write(self, value: tuple[tuple[int, int], ...]) -> str:
        """Return the spans as a YAML list."""
        return f"[{', '.join(map(SPAN.write, value))}]"

    def scan(self, shown: str) -> tuple[tuple[int, int], ...]:
        """Parse the spans from their text in a file."""
        if shown.count("[") == 2:  # the most common form
            first, _, last = shown[2:-2].partition(", ")
            return ((int(first), int(last)),)
        return (
            self.clean(tuple(SPAN.scan(f"[{each}]") for each in shown[2:-2].split("], [")))
            if shown != "[]"
            else ()
        )

    def json(self, value: tuple[tuple[int, int], ...]) -> list[list[int]]:
        """Return the spans as lists of two numbers, for JSON."""
        return [list(pair) for pair in value]


COUNT, SPAN, SPANS, TIME, DAY, SHARE, FLAG = (
    Count(),
    Span(),
    Spans(),
    Time(),
    Day(),
    Share(),
    Flag(),
)
