"""Find definitions, such as functions and classes, in source text: by line or by name.

This serves most languages without parsing, like git's funcname patterns: a definition starts at a
line that looks like its head, and ends where the indentation does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

Lines = tuple[int, int]

_WORDS = (
    r"export|default|public|private|protected|internal|static|async|abstract|final|override|"
    r"inline|extern|unsafe|virtual|pub(?:\([^)]*\))?"
)
_KEYWORDS = (
    "def|class|func|fn|function|interface|struct|enum|trait|impl|type|module|namespace|record|"
    "object|macro"
)
_DEFINED = re.compile(
    rf"\s*(?:(?:{_WORDS})\s+)*(?:{_KEYWORDS})\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)"
)
# `static int name(`, `void Type::name(` and, in a class, `name(…) {`: the head of a function
# without a keyword
_STATEMENTS = (
    "return|else|new|await|throw|raise|case|if|for|while|switch|catch|elif|except|with|yield|"
    "assert|not|and|or|in|do|try|delete|go|defer|echo|print|import|from|using|goto|unless|until|"
    "puts"
)
_TYPED = re.compile(
    rf"\s*(?!(?:{_STATEMENTS})\b)(?:[A-Za-z_$][\w$<>\[\],.*&:?]*\s+)+[*&]*(?:\w+::)*"
    rf"([A-Za-z_$~][\w$]*)\s*\([^;=]*$"
)
_METHOD = re.compile(
    rf"\s*(?!(?:{_STATEMENTS})\b)(?:(?:{_WORDS}|get|set)\s+)*"
    r"([A-Za-z_$][\w$]*)\s*\([^;]*\)[^;]*\{\s*$"
)
# `const name = (…) =>`, `Type.prototype.name = function`, `name: async (…) =>`
_ASSIGNED = re.compile(
    r"\s*(?:(?:export|default|const|let|var|static|public|private|"
    r"readonly)\s+)*(?:[\w$]+\.)*([A-Za-z_$][\w$]*)\s*(?::[^=()]+)?[:=]\s*(?:async\s+)?"
    r"(?:function\b|[A-Za-z_$][\w$]*\s*=>|\([^;]*=>)"
)
_RECEIVER = re.compile(r"func\s+\([^)]*?\*?(\w+)(?:\[[^)]*\])?\)\s*\w")  # of a method in Go
_CLOSES = re.compile(r"\s*(?:[)\]}]|end\b|else\b|elif\b|except\b|finally\b|catch\b|\{)")
_NO_NAMES = {*_KEYWORDS.split("|"), *_STATEMENTS.split("|")} - {
    "type",
    "record",
    "object",
    "print",
    "echo",
    "puts",
    "delete",
}
_TAB = 4
_DECORATORS = 12  # lines to search for them
_SEARCHES = 32  # of a file for one name each, before all its definitions are listed
LONGEST = 400  # characters; nobody writes a longer line by hand


def name_defined(row: str) -> str | None:
    """Return the name of the function or class whose definition starts in a line, or None."""
    if len(row) > LONGEST:
        return None
    found = _DEFINED.match(row) or _METHOD.match(row) or _TYPED.match(row) or _ASSIGNED.match(row)
    return found[1] if found and found[1] not in _NO_NAMES else None


def indent(row: str) -> int:
    """Return how far a line is indented, in columns."""
    wide = row.expandtabs(_TAB)
    return len(wide) - len(wide.lstrip())


def enclosing(rows: Sequence[str], number: int) -> Iterator[tuple[str, int]]:
    """Yield name and first line of each definition that contains a line, innermost first.

    Lines are numbered from 1. A method in Go is followed by its receiver's type.
    """
    if not 0 < number <= len(rows):
        return
    row = rows[number - 1]
    if own := name_defined(row):
        yield own, number
        if received := _RECEIVER.match(row):
            yield received[1], number
    depth = indent(row) if row.strip() else 1 << 10
    for above in range(number - 1, 0, -1):
        row = rows[above - 1]
        if row.strip() and indent(row) < depth and not _CLOSES.match(row):
            depth = indent(row)
            if name := name_defined(row):
                yield name, above
                if received := _RECEIVER.match(row):
                    yield received[1], above
        if not depth:
            return


def extent(rows: Sequence[str], head: int) -> Lines:
    """Return the first and last line of the definition that starts at line `head`.

    The indentation shows where it ends.
    """
    depth, last = indent(rows[head - 1]), head
    for number in range(head + 1, len(rows) + 1):
        row = rows[number - 1]
        if not row.strip():
            continue
        if indent(row) <= depth and not _CLOSES.match(row):
            break
        last = number
    return head, last


class _File:
    """A file's lines as a cache key, compared by identity because hashing them would be slow."""

    __slots__ = ("asked", "heads", "places", "rows")

    def __init__(self, rows: Sequence[str]) -> None:
        self.rows = rows
        self.asked = 0  # how often for a definition
        self.heads: dict[str, list[int]] | None = None  # once that was often
        self.places: dict[str, list[int]] = {}

    def __hash__(self) -> int:
        return id(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _File) and self.rows is other.rows


@lru_cache(maxsize=4)
def _known(file: _File) -> _File:
    return file


def heads(rows: Sequence[str], name: str) -> list[int]:
    """Return the numbers of the lines where a name is defined.

    The lines are indexed for later calls, so `rows` must not change afterwards.
    """
    file = _known(_File(rows))
    file.asked += 1
    if file.heads is None and file.asked <= _SEARCHES:
        return [
            number
            for number, row in enumerate(rows, 1)
            if name in row and name_defined(row) == name
        ]
    if file.heads is None:
        file.heads = {}
        for number, row in enumerate(rows, 1):
            if defined := name_defined(row):
                file.heads.setdefault(defined, []).append(number)
    return file.heads.get(name, [])


def places(rows: Sequence[str], texts: Iterable[str]) -> list[int]:
    """Return the numbers of the lines that equal one of some texts, apart from indentation."""
    file = _known(_File(rows))
    if not file.places:
        for number, row in enumerate(rows, 1):
            file.places.setdefault(row.strip(), []).append(number)
    return sorted(number for text in texts for number in file.places.get(text, ()))


def bodies(rows: Sequence[str], symbol: str) -> list[Lines]:
    """Return the first and last line of each definition of a symbol, such as `Class.method`.

    Decorators are included. If some definitions are inside the named class, only those are
    returned.
    """
    outer, _, name = symbol.rpartition(".")
    found = heads(rows, name) if name else []
    own = [
        head
        for head in found
        if outer and outer in [each for each, _ in enclosing(rows, head)][1:2]
    ]
    return [(_decorated(rows, head), extent(rows, head)[1]) for head in own or found]


def _decorated(rows: Sequence[str], head: int) -> int:
    """Return the first line of a definition, counting its decorators or attributes."""
    depth, first = indent(rows[head - 1]), head
    for number in range(head - 1, max(head - _DECORATORS, 0), -1):
        row = rows[number - 1]
        if not row.strip() or indent(row) < depth:
            break
        if indent(row) == depth and row.lstrip().startswith(("@", "#[", "[")):
            first = number
    return first
