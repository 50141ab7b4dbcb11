"""The interface that all types of front matter values have, and the types for text."""

import re
from collections.abc import Callable
from enum import StrEnum
from json.encoder import (
    encode_basestring,
)  # as `json.dumps` encodes a text, without creating an encoder each time
from typing import Any, Generic, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories.clean_text import clean_body, line, text

Redact = Callable[[str], tuple[str, int]]  # a text → the text without secrets, and how many it had
T = TypeVar("T")
_Member = TypeVar("_Member", bound=StrEnum)

# JSON allows these characters and YAML does not, so they are escaped.
_NOT_YAML = re.compile("[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(.)")


class Plain(str):
    """An unquoted YAML scalar, which may mean null, true or a number."""

    __slots__ = ()


class Form(Generic[T]):
    """A type of front matter values, with methods to read, clean, write and show them.

    `pattern` is a regular expression, without groups, for what `write` returns. `scan` parses such
    a text into the same value in normal form, faster than YAML and `read`. It raises ValueError or
    KeyError for a text that must be parsed by YAML and `read` instead.
    """

    pattern = ""
    block = False  # whether a written value starts on a new line
    can_be_empty = False  # whether `scan` may return an empty value

    def read(self, name: str, value: Any) -> T:
        """Convert a front matter value to this type. Raises BadMemory, which names the field."""
        raise NotImplementedError

    def clean(self, value: T) -> T:
        """Return a value in normal form."""
        return value

    def write(self, value: T) -> str:
        """Return the text of a value in a file; the value must be in normal form."""
        raise NotImplementedError

    def scan(self, shown: str) -> T:
        """Return the value for which `write` returned this text."""
        raise NotImplementedError

    def json(self, value: T) -> Any:
        """Return a value in the form that JSON output has."""
        return value

    def lines(self, value: T) -> list[str]:
        """Return the lines that show a value to people, one for each entry."""
        return [str(value)]

    def order(self, value: T) -> Any:
        """Return a sort key for a value."""
        return value

    # most types hold no free text
    def redact(self, value: T, redact: Redact) -> tuple[T, int]:  # noqa: ARG002
        """Return a value without secrets, and how many it had."""
        return value, 0


def absent(value: Any) -> bool:
    """Return whether a value of front matter is null or empty."""
    return value is None or (isinstance(value, Plain) and value in {"", "null", "~"})


def read_text(name: str, value: Any) -> str:
    """Return a value of front matter as text. Raises BadMemory if it is missing or not text."""
    if absent(value):
        raise BadMemory(f"`{name}` is missing")
    if not isinstance(value, str):
        raise BadMemory(f"`{name}` must be text, not a list or a mapping")
    return str(value)


def read_list(name: str, value: Any) -> list[Any]:
    """Return a front matter value as a list, empty if missing. Raises BadMemory if not a list."""
    if absent(value):
        return []
    if not isinstance(value, list):
        raise BadMemory(f"`{name}` must be a list")
    return value


def quote(value: str) -> str:
    """Return text in double quotes, valid as JSON and YAML."""
    quoted = encode_basestring(value)
    return (
        quoted
        if quoted.isascii()
        else _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
    )


class Line(Form[str]):
    """The type of text on one line."""

    can_be_empty = True
    pattern = r'"(?:[^"\\\n]++|\\["\\])++"'

    def read(self, name: str, value: Any) -> str:
        """Return the text. Raises BadMemory if the value is missing or not text."""
        return read_text(name, value)

    def clean(self, value: str) -> str:
        """Remove invisible characters and redundant space."""
        return line(value)

    def write(self, value: str) -> str:
        """Return the text in quotes."""
        return quote(value)

    def scan(self, shown: str) -> str:
        """Return the text between the quotes, with escaped characters restored."""
        return line(_ESCAPED.sub(r"\1", shown[1:-1]) if "\\" in shown else shown[1:-1])

    def redact(self, value: str, redact: Redact) -> tuple[str, int]:
        """Return the text without secrets, and how many it had."""
        return redact(value)


class Body(Line):
    """The type of multi-line text below the front matter."""

    def clean(self, value: str) -> str:
        """Remove invisible characters and surrounding space."""
        return clean_body(value)

    def lines(self, value: str) -> list[str]:
        """Return the lines of the text."""
        return value.splitlines()


class Word(Line):
    """The type of text that is usually one ASCII word; anything else is left to the YAML parser."""

    pattern = r'"[!#-\[\]-~]++"'
    can_be_empty = False

    def scan(self, shown: str) -> str:
        """Return the text between the quotes."""
        return shown[1:-1]

    def redact(self, value: str, redact: Redact) -> tuple[str, int]:
        """Redact secrets, but not personal data, because other code looks up this text."""
        shown, found = redact(value)
        return (shown, found) if found else (value, 0)


class Path(Word):
    """The type of a file's path."""

    pattern = r'"[ !#-\[\]-~]++"'

    def clean(self, value: str) -> str:
        """Remove invisible characters, but keep spaces, which belong to the path."""
        return text(value).replace("\n", " ").replace("\t", " ")


class Matching(Word):
    """The type of names that match a pattern, such as ids."""

    def __init__(self, form: re.Pattern[str], wrong: str) -> None:
        """Initialize with the pattern, and its description for an error message."""
        self._form = form
        self._wrong = wrong
        self.pattern = f'"{form.pattern}"'

    def read(self, name: str, value: Any) -> str:
        """Return the text. Raises BadMemory if the pattern does not match it."""
        if not self._form.fullmatch(found := read_text(name, value)):
            raise BadMemory(f"`{name}` must be {self._wrong}")
        return found


class Member(Form[_Member]):
    """The type of members of an enumeration."""

    def __init__(self, kind: type[_Member]) -> None:
        """Initialize with the enumeration."""
        self._kind = kind
        self._members = {f'"{member.value}"': member for member in kind}
        self._written = {member: shown for shown, member in self._members.items()}
        self.pattern = '"[a-z]++"'

    def read(self, name: str, value: Any) -> _Member:
        """Return the member with this value. Raises BadMemory if there is none."""
        found = read_text(name, value)
        if found not in list(self._kind):
            raise BadMemory(f"`{name}` must be one of {', '.join(self._kind)}")
        return self._kind(found)

    def write(self, value: _Member) -> str:
        """Return the member's value in quotes."""
        return self._written[value]

    def scan(self, shown: str) -> _Member:
        """Return the member whose value is in the quotes."""
        return self._members[shown]


class Names(Form[tuple[str, ...]]):
    """The type of a set of short texts, such as tags."""

    pattern = rf"\[(?:{Word.pattern}(?:, {Word.pattern})*+)?\]"

    def read(self, name: str, value: Any) -> tuple[str, ...]:
        """Return the texts of a list. Raises BadMemory if an item is not text."""
        return tuple(read_text(name, item) for item in read_list(name, value))

    def clean(self, value: tuple[str, ...]) -> tuple[str, ...]:
        """Return the texts in order, without duplicates and empty texts."""
        return tuple(sorted({shown for each in value if (shown := line(each))})) if value else ()

    def write(self, value: tuple[str, ...]) -> str:
        """Return the texts in quotes, as a YAML list."""
        return f"[{', '.join(map(quote, value))}]"

    def scan(self, shown: str) -> tuple[str, ...]:
        """Return the words of a list; `pattern` matches only lists of words without spaces."""
        items = shown[2:-2].split('", "') if shown != "[]" else ()
        return tuple(sorted(set(items))) if len(items) > 1 else tuple(items)

    def json(self, value: tuple[str, ...]) -> list[str]:
        """Return the texts as a list for JSON."""
        return list(value)

    def lines(self, value: tuple[str, ...]) -> list[str]:
        """Return one line with all texts, or no line if there are none."""
        return [", ".join(value)] if value else []

    def redact(self, value: tuple[str, ...], redact: Redact) -> tuple[tuple[str, ...], int]:
        """Drop each text that contains a secret, and count the secrets."""
        found = [(each, redact(each)[1]) for each in value]
        return tuple(each for each, count in found if not count), sum(count for _, count in found)


class Maybe(Form[T | None]):
    """The type of a value that may be missing; a missing value is None."""

    def __init__(self, form: Form[T]) -> None:
        """Initialize with the type of a value that is not missing."""
        self._form = form
        self.pattern = f"(?:null|{form.pattern})"
        self.scan_present: Callable[[str], T | None] = (
            self.scan if form.can_be_empty else form.scan
        )  # for a text other than `null`

    def read(self, name: str, value: Any) -> T | None:
        """Return None if the value is null or empty; otherwise read it as its type."""
        return None if absent(value) else self._form.read(name, value)

    def clean(self, value: T | None) -> T | None:
        """Return the value in normal form, or None if it is empty."""
        return None if value is None else (self._form.clean(value) or None)

    def write(self, value: T | None) -> str:
        """Return `null` for None, and otherwise the text of the value."""
        return "null" if value is None else self._form.write(value)

    def scan(self, shown: str) -> T | None:
        """Return None for `null`, and otherwise parse the value from its text."""
        return None if shown == "null" else (self._form.scan(shown) or None)

    def json(self, value: T | None) -> Any:
        """Return None, which is null in JSON, or the form that the value has in JSON."""
        return None if value is None else self._form.json(value)

    def lines(self, value: T | None) -> list[str]:
        """Return the line `null` for None, as in the file, and otherwise the lines of the value."""
        return ["null"] if value is None else self._form.lines(value)

    def order(self, value: T | None) -> Any:
        """Return a sort key by which None comes first."""
        return (False,) if value is None else (True, self._form.order(value))

    def redact(self, value: T | None, redact: Redact) -> tuple[T | None, int]:
        """Redact the value, unless it is None."""
        return (None, 0) if value is None else self._form.redact(value, redact)


NAMES, BODY, LINE, WORD, PATH = Names(), Body(), Line(), Word(), Path()
ID = Matching(re.compile(r"[a-z2-7]{13}"), "13 characters of a-z and 2-7")
OBJECT_ID = Matching(re.compile(r"[0-9a-f]{4,64}"), "an object id of git")
