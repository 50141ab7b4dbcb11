"""Find values that are apart from their name: on the next line, in a block, or in another field."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finders.arguments import find_argument
from git_lerim.redaction.finders.children import find_children
from git_lerim.redaction.finders.markup import find_in_markup
from git_lerim.redaction.finders.tables import find_below
from git_lerim.redaction.secret_names import is_secret
from git_lerim.redaction.value_shape import has_digit, is_code
from git_lerim.redaction.views.notation import value_at

Judged = tuple[int, int, bool]  # start, end, and whether it is secret
_Q = r"\\{0,8}[\"'`]?"
_MARKUP = r"[*_`~]{0,3}"
_BELOW = re.compile(
    rf"[\w-]{{0,24}}{_MARKUP}[ \t]{{0,3}}(?:is|ist|lautet|est|es|è|é|to|"
    rf"это)?(?P<colon>[:\uff1a=]?|[-=]>){_MARKUP}["
    r" \t]{0,3}\n"
    r"(?:[ \t]{0,40}\n){0,2}(?:[ \t]{0,40}(?:```|~~~)[\w-]{0,20}[ \t]{0,3}\n)?"
    r"[ \t]{0,40}(?:[-*+>]["
    rf" \t])?{_MARKUP}(?P<value>(?P<quote>{_Q})(?!\w{{1,80}}=)[^\s\"'`<>{{}}]{{6,400}}(?P=quote))"
    rf"{_MARKUP}[ \t]{{0,40}}(?:\n|\Z|(?=\\{{0,8}}[\"']))"
)
_HEADING = re.compile(r"(?:#{1,6}[ \t]|[-*+][ \t]|\d{1,3}[.)][ \t])?[^\n:=.;,(){}<>]{0,60}\Z")
_MARKED = re.compile(r"[#*]|(?<!\w)_|_(?!\w)")
# What may follow a name whose value is somewhere else.
_APART = re.compile(
    r"[\w./-]{0,24}(?: is| ist| lautet| est| es| è| é| to|"
    r" это)?[ *_`~\"'\\\r]{0,12}(?:[\n|,;\t{:=\uff1a>-]|\Z)"
)
_BLOCK = re.compile(rf"[\w-]{{0,24}}{_Q}[ \t]?:[ \t]?[|>][+-]?\d?[ \t]{{0,3}}\n")
_LINE = re.compile(r"([ \t]*)([^\n]*)(?:\n|\Z)")
_LONGEST_BLOCK = 20  # lines
_FIELD = re.compile(
    rf"[\w-]{{0,24}}{_Q}[ \t]?,?\s{{0,80}}(?:-\s)?{_Q}(?:\w{{0,20}}[Vv]alue|val|"
    rf"default){_Q}\s?(?:[:=]|=>)\s{{0,3}}"
)
_FIELD_NAME = re.compile(
    rf"(?:\w{{0,20}}(?:[Nn]ame|[Kk]ey)|KEY|variable|setting|param|parameter){_Q}\s?(?:[:=]|"
    rf"=>)\s{{0,3}}{_Q}[\w.-]{{0,48}}\Z"
)
# the value before its name: {"value": "x", "key": "DB_PASSWORD"}
_FIELD_BEFORE = re.compile(
    rf"(?:[Vv]alue|val|default){_Q}\s?(?:[:=]|=>)\s{{0,3}}(?P<quote>{_Q})"
    rf"(?P<value>[^\s\"'`\\]{{4,200}})(?P=quote)\s?,?\s{{0,80}}{_Q}(?:\w{{0,20}}(?:[Nn]ame|[Kk]ey)|"
    rf"KEY|variable|setting|param|parameter){_Q}\s?(?:[:=]|=>)\s{{0,3}}{_Q}[\w.-]{{0,48}}\Z"
)
_FIELD_SIGNS = frozenset(":=>")
_REACH = 420  # characters of such a field before a name
_DEFAULT = re.compile(
    rf"[\w-]{{0,24}}{_Q}[ \t]{{0,4}}\{{[^{{}}]{{0,400}}?\bdefault\s{{0,20}}=\s{{0,3}}"
)


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", max(0, at - 200), at) + 1, at - 200, 0)


def _name(text: str, left: str, start: int, rest: int) -> str:
    end = start
    while end < len(text) and end < rest and (text[end].isalnum() or text[end] in "_-"):
        end += 1
    return (left + text[start:end]).strip("-._")


def find_nearby(text: str, left: str, start: int, end: int) -> Iterator[Judged]:
    """Yield the values near a name that has no value directly after it.

    `start` and `end` enclose the keyword in the name; `left` is the part before the keyword.
    """
    name = _name(text, left, start, end + 24)
    if (
        (found := list(find_in_markup(text, name, start - len(left), end)))
        or (found := list(find_argument(text, name, start, end)))
        or (found := list(_below(text, name, start, end)))
        or (found := list(_before(text, name, left, start)))
    ):
        yield from found
    elif _APART.match(text, end):
        yield from _apart(text, name, left, start, end)


def _apart(text: str, name: str, left: str, start: int, end: int) -> Iterator[Judged]:
    if column := list(find_below(text, name, start, end)):
        yield from column
    elif field := _FIELD.match(text, end):
        if _FIELD_NAME.search(text, max(0, start - 80), start):
            yield from _valued(text, name, field.end())
    elif default := _DEFAULT.match(text, end):
        if (
            text[max(0, start - 80) : start]
            .rstrip(left or " ")
            .rstrip(" \"'\\")
            .endswith("variable")
        ):
            yield from _valued(text, name, default.end())
    elif block := _BLOCK.match(text, end):
        yield from _in_block(text, name, start, block.end())
    elif below := _BELOW.match(text, end):
        line = text[_line_start(text, start) : start].rpartition('"')[2]
        titled = (
            _HEADING.match(line)
            and len(line.split()) <= 4
            and name != "pass"
            and (_MARKED.search(line) or "\n\n" in below[0])
        )
        if below["colon"] or titled:
            yield from _valued(text, name, below.start("value"), alone=True)


def _below(text: str, name: str, start: int, end: int) -> Iterator[Judged]:
    """Yield values below a name, if one of them is secret."""
    found = list(find_children(text, name, start, end))
    if any(secret for _, _, secret in found):
        yield from found


def _before(text: str, name: str, left: str, start: int) -> Iterator[Judged]:
    """Yield the value in the field that precedes the field with the name."""
    first = start - len(left)
    sign = text[max(0, first - 8) : first].rstrip(" \"'`\\")[-1:]  # a cheap check first
    if sign not in _FIELD_SIGNS or not _FIELD_NAME.search(text, max(0, start - 80), start):
        return
    field = _FIELD_BEFORE.search(text, max(0, start - _REACH), start)
    if field and is_secret(name.upper(), field["value"], quoted=True):
        yield *field.span("value"), True


def _valued(text: str, name: str, at: int, *, alone: bool = False) -> Iterator[Judged]:
    found = value_at(text, at)
    if found:
        value = text[found[0] : found[1]]
        named = name.upper() if alone and has_digit(value) and not is_code(value) else name
        yield found[0], found[1], is_secret(named, value, quoted=found[2])


def _in_block(text: str, name: str, start: int, at: int) -> Iterator[Judged]:
    """Yield the lines of a YAML block, which are indented deeper than the name."""
    first = _line_start(text, start)
    outer = len(text[first:start]) - len(text[first:start].lstrip(" \t-"))
    for _ in range(_LONGEST_BLOCK):
        line = _LINE.match(text, at)
        if not line or line.end() == at or not line[2] or len(line[1]) <= outer:
            return
        value = line[2].rstrip("\"',")
        yield line.start(2), line.start(2) + len(value), is_secret(name.upper(), value, quoted=True)
        at = line.end()
