"""The interface of types of front matter values (read, clean, write, show), and types for text."""

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
    """An unquoted scalar, which may mean null, true or a number."""

    __slots__ = ()


class Form(Generic[T]):
    """A type of value.

    `pattern` matches what `write` returns, without groups; `scan` parses such a text into the same
    value in normal form, faster than YAML and `read`. `scan` raises ValueError or KeyError for a
    text that YAML and `read` have to parse.
    """

    pattern = ""
    block = False  # whether a written value starts on a new line
    can_be_empty = False  # whether `scan` may return an empty value

    def read(self, name: str, value: Any) -> T:
        """Return a value of front matter as this type. Raises BadMemory, naming the field."""
        raise NotImplementedError

    def clean(self, value: T) -> T:
        """Return a value in normal form."""
        return value

    def write(self, value: T) -> str:
        """Return a value in normal form as written in a file."""
        raise NotImplementedError

    def scan(self, shown: str) -> T:
        """Return the value from which `write` made this text."""
        raise NotImplementedError

    def json(self, value: T) -> Any:
        """Return a value for JSON."""
        return value

    def lines(self, value: T) -> list[str]:
        """Return a value for people, one entry per line."""
        return [str(value)]

    def order(self, value: T) -> Any:
        """Return a sort key."""
        return value

    # most types hold no free text
    def redact(self, value: T, redact: Redact) -> tuple[T, int]:  # noqa: ARG002
        """Return a value without secrets, and how many it had."""
        return value, 0


def absent(value: Any) -> bool:
    """Tell whether a value of front matter is null or empty."""
    return value is None or (isinstance(value, Plain) and value in {"", "null", "~"})


def read_text(name: str, value: Any) -> str:
    """Return a value of front matter as text. Raises BadMemory."""
    if absent(value):
        raise BadMemory(f"`{name}` is missing")
    if not isinstance(value, str):
        raise BadMemory(f"`{name}` must be text, not a list or a mapping")
    return str(value)


def read_list(name: str, value: Any) -> list[Any]:
    """Return a value of front matter as a list. Raises BadMemory."""
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
    """Text on one line."""

    can_be_empty = True
    pattern = r'"(?:[^"\\\n]++|\\["\\])++"'

    def read(self, name: str, value: Any) -> str:
        """Accept any text."""
        return read_text(name, value)

    def clean(self, value: str) -> str:
        """Remove invisible characters and redundant space."""
        return line(value)

    def write(self, value: str) -> str:
        """Return the text in quotes."""
        return quote(value)

    def scan(self, shown: str) -> str:
        """Unescape quotes."""
        return line(_ESCAPED.sub(r"\1", shown[1:-1]) if "\\" in shown else shown[1:-1])

    def redact(self, value: str, redact: Redact) -> tuple[str, int]:
        """Return the text without secrets, and how many it had."""
        return redact(value)


class Body(Line):
    """Multi-line text below the front matter."""

    def clean(self, value: str) -> str:
        """Remove invisible characters and surrounding space."""
        return clean_body(value)

    def lines(self, value: str) -> list[str]:
        """Return the lines of the text."""
        return value.splitlines()


class Word(Line):
    """Text that is usually one ASCII word and needs no cleaning; anything else is left to YAML."""

    pattern = r'"[!#-\[\]-~]++"'
    can_be_empty = False

    def scan(self, shown: str) -> str:
        """Return the text between the quotes."""
        return shown[1:-1]

    def redact(self, value: str, redact: Redact) -> tuple[str, int]:
        """Redact secrets, but keep personal data, because other code looks this text up."""
        shown, found = redact(value)
        return (shown, found) if found else (value, 0)


class Path(Word):
    """The path of a file."""

    pattern = r'"[ !#-\[\]-~]++"'

    def clean(self, value: str) -> str:
        """Remove invisible characters, but keep spaces, which belong to the path."""
        return text(value).replace("\n", " ").replace("\t", " ")


class Matching(Word):
    """A name that matches a pattern."""

    def __init__(self, form: re.Pattern[str], wrong: str) -> None:
        """Initialize with the pattern, and the error for any other text."""
        self._form = form
        self._wrong = wrong
        self.pattern = f'"{form.pattern}"'

    def read(self, name: str, value: Any) -> str:
        """Return the text. Raises BadMemory if the pattern does not match it."""
        if not self._form.fullmatch(found := read_text(name, value)):
            raise BadMemory(f"`{name}` must be {self._wrong}")
        return found


class Member(Form[_Member]):
    """A member of an enumeration."""

    def __init__(self, kind: type[_Member]) -> None:
        """Initialize with the enumeration."""
        self._kind = kind
        self._members = {f'"{member.value}"': member for member in kind}
        self._written = {member: shown for shown, member in self._members.items()}
        self.pattern = '"[a-z]++"'

    def read(self, name: str, value: Any) -> _Member:
        """Return the member with this name. Raises BadMemory for any other word."""
        found = read_text(name, value)
        if found not in list(self._kind):
            raise BadMemory(f"`{name}` must be one of {', '.join(self._kind)}")
        return self._kind(found)

    def write(self, value: _Member) -> str:
        """Return the member's name in quotes."""
        return self._written[value]

    def scan(self, shown: str) -> _Member:
        """Return the member with this name."""
        return self._members[shown]


class Names(Form[tuple[str, ...]]):
    """A set of short texts."""

    pattern = rf"\[(?:{Word.pattern}(?:, {Word.pattern})*+)?\]"

    def read(self, name: str, value: Any) -> tuple[str, ...]:
        """Read each item of a list."""
        return tuple(read_text(name, item) for item in read_list(name, value))

    def clean(self, value: tuple[str, ...]) -> tuple[str, ...]:
        """Sort the texts, without duplicates and empty ones."""
        return tuple(sorted({shown for each in value if (shown := line(each))})) if value else ()

    def write(self, value: tuple[str, ...]) -> str:
        """Return the texts as a list."""
        return f"[{', '.join(map(quote, value))}]"

    def scan(self, shown: str) -> tuple[str, ...]:
        """Read a list of words without spaces, the only ones that `pattern` matches."""
        items = shown[2:-2].split('", "') if shown != "[]" else ()
        return tuple(sorted(set(items))) if len(items) > 1 else tuple(items)

    def json(self, value: tuple[str, ...]) -> list[str]:
        """Return a list."""
        return list(value)

    def lines(self, value: tuple[str, ...]) -> list[str]:
        """Return the texts on one line."""
        return [", ".join(value)] if value else []

    def redact(self, value: tuple[str, ...], redact: Redact) -> tuple[tuple[str, ...], int]:
        """Drop texts that contain a secret."""
        found = [(each, redact(each)[1]) for each in value]
        return tuple(each for each, count in found if not count), sum(count for _, count in found)


class Maybe(Form[T | None]):
    """An optional value."""

    def __init__(self, form: Form[T]) -> None:
        """Initialize with the type of the value."""
        self._form = form
        self.pattern = f"(?:null|{form.pattern})"
        self.scan_present: Callable[[str], T | None] = (
            self.scan if form.can_be_empty else form.scan
        )  # for a text other than `null`

    def read(self, name: str, value: Any) -> T | None:
        """Read null as None."""
        return None if absent(value) else self._form.read(name, value)

    def clean(self, value: T | None) -> T | None:
        """Turn an empty value into None."""
        return None if value is None else (self._form.clean(value) or None)

    def write(self, value: T | None) -> str:
        """Write None as null."""
        return "null" if value is None else self._form.write(value)

    def scan(self, shown: str) -> T | None:
        """Read null as None."""
        return None if shown == "null" else (self._form.scan(shown) or None)

    def json(self, value: T | None) -> Any:
        """Return null for None."""
        return None if value is None else self._form.json(value)

    def lines(self, value: T | None) -> list[str]:
        """Show None as `null`, as in the file."""
        return ["null"] if value is None else self._form.lines(value)

    def order(self, value: T | None) -> Any:
        """Sort None first."""
        return (False,) if value is None else (True, self._form.order(value))

    def redact(self, value: T | None, redact: Redact) -> tuple[T | None, int]:
        """Redact the value, if there is one."""
        return (None, 0) if value is None else self._form.redact(value, redact)


NAMES, BODY, LINE, WORD, PATH = Names(), Body(), Line(), Word(), Path()
ID = Matching(re.compile(r"[a-z2-7]{13}"), "13 characters of a-z and 2-7")
OBJECT_ID = Matching(re.compile(r"[0-9a-f]{4,64}"), "an object id of git")
