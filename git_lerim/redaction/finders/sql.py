"""Find secrets in rows of SQL, by column name, in `INSERT INTO` and `COPY … FROM stdin`."""

import re
from collections.abc import Generator, Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import is_secret, strength
from git_lerim.redaction.value_shape import has_digit, is_code, is_placeholder, kinds
from git_lerim.redaction.views.notation import matches_at

_Q = r"(?:\\{0,8}[\"'`]|\[)?"
_NAME = rf"{_Q}[\w$]{{1,64}}+(?:\\{{0,8}}[\"'`]|\])?"
_TABLE = rf"\s{{1,8}}(?P<table>{_NAME}(?:\.{_NAME}){{0,2}})\s{{0,8}}"
_COLUMNS = r"\((?P<columns>[^()]{1,2000})\)"
# Both are matched in lower case.
_INSERT = re.compile(
    rf"(?:insert|replace)\s{{1,8}}into{_TABLE}(?:{_COLUMNS}\s{{0,20}})?values\s{{0,20}}"
)
_COPY = re.compile(rf"copy{_TABLE}{_COLUMNS}\s{{0,8}}from stdin[^\n]{{0,80}}\n")
_VALUE = re.compile(
    r"\s{0,20}(?:(?P<call>[\w.]{1,40}\(\s?)?[ENn]?(?P<quote>\\{0,8}[\"'])(?P<string>[^\n]{0,400}?)"
    r"(?P=quote)(?(call)(?:\s?,[^()\n]{0,60}(?:\([^()\n]{0,60}\))?)?\s?\))(?=\s{0,20}[,)])|"
    r"[^,()\"'\n]{0,200}(?:\([^()\n]{0,200}\))?)\s{0,20}(?P<end>[,)])"
)
_NEXT_ROW = re.compile(r"\s{0,20},\s{0,20}(?=\()")
_ACCOUNTS = re.compile(r"user|account|credential|login|member|admin")
_SIGN = re.compile(r"[!$%^*?#~]")
_MOST_ROWS = 1000
_MOST_VALUES = 200
_LONGEST_LINE = 4000


def find_rows(text: str, low: str) -> Iterator[Finding]:
    """Find secrets in rows of SQL; `low` is the text in lower case."""
    done = 0
    for word in ("insert", "replace into"):
        for head in matches_at(low, word, _INSERT.match):
            if head.start() >= done:
                names = _names(head["columns"] or "")
                done = yield from _inserted(
                    text, head.end(), names, is_account=bool(_ACCOUNTS.search(head["table"]))
                )
        done = 0
    for head in matches_at(low, "copy", _COPY.match):
        if head.start() >= done:
            done = yield from _copied(text, head.end(), _names(head["columns"]))


def _names(columns: str) -> list[str]:
    """Return the names of columns, with an empty string for each that suggests no secret."""
    names = [column.strip(" \t\n\\\"'`[]") for column in columns.split(",")] if columns else []
    return [name.upper() if strength(name) else "" for name in names]


def _inserted(
    text: str, at: int, names: list[str], *, is_account: bool
) -> Generator[Finding, None, int]:
    """Yield the secrets of rows in parentheses, and return where the rows end.

    Without column names, yield only values that must be passwords.
    """
    if not (any(names) or (is_account and not names)):
        return at
    for _ in range(_MOST_ROWS):
        at += text[at : at + 1] == "("
        for column in range(_MOST_VALUES):
            value = _VALUE.match(text, at)
            if value is None:
                return at
            at = value.end()
            if (string := value["string"]) and _is_secret(string, names, column):
                yield Finding(*value.span("string"), "sql-value")
            if value["end"] == ")":
                break
        following = _NEXT_ROW.match(text, at)
        if following is None:
            return at
        at = following.end()
    return at


def _is_secret(value: str, names: list[str], column: int) -> bool:
    if names:
        return (
            column < len(names)
            and bool(names[column])
            and is_secret(names[column], value, quoted=True)
        )
    signed = (
        "@" not in value and bool(_SIGN.search(value)) and has_digit(value) and kinds(value) >= 3
    )
    return (
        signed
        and not is_code(value)
        and not is_placeholder(value)
        and is_secret("PASSWORD", value, quoted=True)
    )


def _copied(text: str, at: int, names: list[str]) -> Generator[Finding, None, int]:
    """Yield the secrets of tab-separated lines, and return where they end."""
    for _ in range(_MOST_ROWS if any(names) else 0):
        end = text.find("\n", at, at + _LONGEST_LINE)
        end = end if end >= 0 else min(len(text), at + _LONGEST_LINE)
        cells = text[at:end].split("\t")
        gone = len(names) - len(cells)  # a leading number may have been removed as a line number
        if gone not in (0, 1):
            return at
        for name, cell in zip(names[gone:], cells, strict=True):
            if name and is_secret(name, cell, quoted=True):
                yield Finding(at, at + len(cell), "sql-value")
            at += len(cell) + 1
    return at
