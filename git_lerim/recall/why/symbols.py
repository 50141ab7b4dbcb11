"""Name the definitions around and within lines of code, using keywords and indentation.

Works for most languages.
"""

import re
from collections.abc import Collection, Iterator, Sequence

Lines = tuple[int, int]

MOST = 6  # names returned at most
SHORTEST = 3  # characters of a name that is searched for
_WORDS = (
    r"export|default|public|private|protected|internal|static|async|abstract|final|override|"
    r"inline|extern|unsafe|pub(?:\([^)]*\))?"
)
_KEYWORDS = (
    "def|class|func|fn|function|interface|struct|enum|trait|type|module|namespace|record|object|"
    "macro"
)
_DEFINED = re.compile(
    rf"\s*(?:(?:{_WORDS})\s+)*(?:{_KEYWORDS})\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)"
)
_ASSIGNED = re.compile(
    r"\s*(?:(?:export|const|let|var|val|static|final|pub|public|"
    r"private)\s+)*([A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?:?=(?!=)"
)
_PLAIN = re.compile(r"[a-z]+|[A-Z][a-z]*")


def names_of(text: Sequence[bytes], lines: Lines) -> list[str]:
    """Return the names defined in some lines, then those that enclose them, innermost first."""
    rows = [row.decode("utf-8", "replace") for row in text]
    first, last = max(lines[0], 1), min(lines[1], len(rows))
    inside = [
        found[1]
        for row in rows[first - 1 : last]
        if (found := _DEFINED.match(row) or _ASSIGNED.match(row))
    ]
    return list(dict.fromkeys([*inside, *_around(rows, first)]))[:MOST]


def _around(rows: Sequence[str], first: int) -> Iterator[str]:
    """Yield the names of the definitions that enclose a line, judging by indentation."""
    if not 0 < first <= len(rows):
        return
    depth = _depth(rows[first - 1]) if rows[first - 1].strip() else 1 << 10
    for row in reversed(rows[: first - 1]):
        if row.strip() and _depth(row) < depth:
            depth = _depth(row)
            if found := _DEFINED.match(row):
                yield found[1]
        if not depth:
            return


def _depth(row: str) -> int:
    return len(row.expandtabs()) - len(row.expandtabs().lstrip())


def finder(names: Collection[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds names in a text; a plain word matches only if marked as code."""
    words = [name for name in names if len(name) >= SHORTEST]
    patterns = [
        rf"`{re.escape(name)}\b|\b{re.escape(name)}(?=\()"
        for name in words
        if _PLAIN.fullmatch(name)
    ]
    patterns += [
        rf"(?<![\w$]){re.escape(name)}(?![\w$])" for name in words if not _PLAIN.fullmatch(name)
    ]
    return re.compile("|".join(patterns)) if patterns else None
