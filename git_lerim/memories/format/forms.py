"""Types of values in front matter, and those of text: how each is read, normalised, written, and
shown.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from json.encoder import (
    encode_basestring,
)  # what `json.dumps` makes of a text, without an encoder for each
from typing import Any, Generic, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories.clean_text import clean_body, line, text

Redact = Callable[[str], tuple[str, int]]  # a text → without secrets, and how many there were
T = TypeVar("T")
_Member = TypeVar("_Member", bound=StrEnum)

# What JSON leaves as it is and YAML does not take: these are escaped.
_NOT_YAML = re.compile("[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(.)")


class Plain(str):
    """A scalar that stood without quotes: it can mean null, true, or a number."""

    __slots__ = ()


class Form(Generic[T]):
    """One type of value.

    `pattern` matches what `write` gives, without groups; `scan` reads such a text, faster than YAML
    and `read` do, to the same value in normal form. It raises ValueError or KeyError for what it
    leaves to them.
    """

    pattern = ""
    block = False  # whether what is written begins its own lines
    can_be_empty = False  # whether nothing may be left of what `scan` reads

    def read(self, name: str, value: Any) -> T:
        """Return a value of front matter as this type. Raises BadMemory naming the field."""
        raise NotImplementedError

    def clean(self, value: T) -> T:
        """Return a value in normal form."""
        return value

    def write(self, value: T) -> str:
        """Return a value in normal form as the file has it."""
        raise NotImplementedError

    def scan(self, shown: str) -> T:
        """Return the value that `write` made this text of."""
        raise NotImplementedError

    def json(self, value: T) -> Any:
        """Return a value as JSON has it."""
        return value

    def lines(self, value: T) -> list[str]:
        """Return a value in words, one entry a line."""
        return [str(value)]

    def order(self, value: T) -> Any:
        """Return what puts two values in order."""
        return value

    # most types hold no free text
    def redact(self, value: T, redact: Redact) -> tuple[T, int]:  # noqa: ARG002
        """Return a value without secrets, and how many there were."""
        return value, 0


def absent(value: Any) -> bool:
    """Tell whether a value of front matter means nothing."""
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
    """Return text in double quotes, as both JSON and YAML read it."""
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
        """Take any text."""
        return read_text(name, value)

    def clean(self, value: str) -> str:
        """Take out what nobody sees, and needless space."""
        return line(value)

    def write(self, value: str) -> str:
        """Write it in quotes."""
        return quote(value)

    def scan(self, shown: str) -> str:
        """Resolve escaped quotes."""
        return line(_ESCAPED.sub(r"\1", shown[1:-1]) if "\\" in shown else shown[1:-1])

    def redact(self, value: str, redact: Redact) -> tuple[str, int]:
        """Blank the secrets in it."""
        return redact(value)


class Body(Line):
    """Text of several lines, which stands below the front matter."""

    def clean(self, value: str) -> str:
        """Take out what nobody sees, and space around it."""
        return clean_body(value)

    def lines(self, value: str) -> list[str]:
        """Give its lines."""
        return value.splitlines()


class Word(Line):
    """Text that is most often one word of ASCII, of which nothing needs cleaning: anything else is
    left to YAML.
    """

    pattern = r'"[!#-\[\]-~]++"'
    can_be_empty = False

    def scan(self, shown: str) -> str:
        """Take it as it is."""
        return shown[1:-1]

    def redact(self, value: str, redact: Redact) -> tuple[str, int]:
        """Leave names as they are, unless there is a secret in one: others look them up."""
        shown, found = redact(value)
        return (shown, found) if found else (value, 0)


class Path(Word):
    """The path of a file."""

    pattern = r'"[ !#-\[\]-~]++"'

    def clean(self, value: str) -> str:
        """Leave space as it is."""
        return text(value).replace("\n", " ").replace("\t", " ")


class Matching(Word):
    """A name of a fixed form."""

    def __init__(self, form: re.Pattern[str], wrong: str) -> None:
        """Take the form, and what to say of any other text."""
        self._form = form
        self._wrong = wrong
        self.pattern = f'"{form.pattern}"'

    def read(self, name: str, value: Any) -> str:
        """Refuse what has another form."""
        if not self._form.fullmatch(found := read_text(name, value)):
            raise BadMemory(f"`{name}` must be {self._wrong}")
        return found


class Member(Form[_Member]):
    """One of a fixed set of words."""

    def __init__(self, kind: type[_Member]) -> None:
        """Take the set."""
        self._kind = kind
        self._members = {f'"{member.value}"': member for member in kind}
        self._written = {member: shown for shown, member in self._members.items()}
        self.pattern = '"[a-z]++"'

    def read(self, name: str, value: Any) -> _Member:
        """Refuse any other word."""
        found = read_text(name, value)
        if found not in list(self._kind):
            raise BadMemory(f"`{name}` is none of {', '.join(self._kind)}")
        return self._kind(found)

    def write(self, value: _Member) -> str:
        """Write it in quotes."""
        return self._written[value]

    def scan(self, shown: str) -> _Member:
        """Look it up."""
        return self._members[shown]


class Names(Form[tuple[str, ...]]):
    """A set of short texts."""

    pattern = rf"\[(?:{Word.pattern}(?:, {Word.pattern})*+)?\]"

    def read(self, name: str, value: Any) -> tuple[str, ...]:
        """Read each."""
        return tuple(read_text(name, item) for item in read_list(name, value))

    def clean(self, value: tuple[str, ...]) -> tuple[str, ...]:
        """Give each once, in the order of the alphabet, without empty ones."""
        return tuple(sorted({shown for each in value if (shown := line(each))})) if value else ()

    def write(self, value: tuple[str, ...]) -> str:
        """Write them as a list."""
        return f"[{', '.join(map(quote, value))}]"

    def scan(self, shown: str) -> tuple[str, ...]:
        """Read words without spaces and quotes."""
        items = shown[2:-2].split('", "') if shown != "[]" else ()
        return tuple(sorted(set(items))) if len(items) > 1 else tuple(items)

    def json(self, value: tuple[str, ...]) -> list[str]:
        """Give a list."""
        return list(value)

    def lines(self, value: tuple[str, ...]) -> list[str]:
        """Give them on one line."""
        return [", ".join(value)] if value else []

    def redact(self, value: tuple[str, ...], redact: Redact) -> tuple[tuple[str, ...], int]:
        """Drop those that hold a secret."""
        found = [(each, redact(each)[1]) for each in value]
        return tuple(each for each, count in found if not count), sum(count for _, count in found)


class Maybe(Form[T | None]):
    """A value that can be missing."""

    def __init__(self, form: Form[T]) -> None:
        """Take the type of the value where there is one."""
        self._form = form
        self.pattern = f"(?:null|{form.pattern})"
        self.scan_present: Callable[[str], T | None] = (
            self.scan if form.can_be_empty else form.scan
        )  # where it is not null

    def read(self, name: str, value: Any) -> T | None:
        """Read null as nothing."""
        return None if absent(value) else self._form.read(name, value)

    def clean(self, value: T | None) -> T | None:
        """Take what is empty in normal form for nothing."""
        return None if value is None else (self._form.clean(value) or None)

    def write(self, value: T | None) -> str:
        """Write nothing as null."""
        return "null" if value is None else self._form.write(value)

    def scan(self, shown: str) -> T | None:
        """Read null as nothing."""
        return None if shown == "null" else (self._form.scan(shown) or None)

    def json(self, value: T | None) -> Any:
        """Give null for nothing."""
        return None if value is None else self._form.json(value)

    def lines(self, value: T | None) -> list[str]:
        """Give `null` for nothing, as the file has it."""
        return ["null"] if value is None else self._form.lines(value)

    def order(self, value: T | None) -> Any:
        """Put nothing first."""
        return (False,) if value is None else (True, self._form.order(value))

    def redact(self, value: T | None, redact: Redact) -> tuple[T | None, int]:
        """Blank the secrets in it."""
        return (None, 0) if value is None else self._form.redact(value, redact)


NAMES, BODY, LINE, WORD, PATH = Names(), Body(), Line(), Word(), Path()
ID = Matching(re.compile(r"[a-z2-7]{13}"), "13 characters of a-z and 2-7")
OBJECT_ID = Matching(re.compile(r"[0-9a-f]{4,64}"), "an object id of git")
