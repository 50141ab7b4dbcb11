"""Find the passwords in a list or mapping below a name, in YAML, JSON and source code."""

import re
from collections.abc import Iterator

from git_lerim.redaction.secret_names import Strength, is_secret, strength
from git_lerim.redaction.value_shape import has_digit, is_random, kinds
from git_lerim.redaction.views.notation import value_at

Judged = tuple[int, int, bool]  # start, end, and whether it is secret
_Q = r"\\{0,8}[\"'`]?"
_BLOCK = re.compile(rf"[\w-]{{0,24}}{_Q}[ \t]?:[ \t]{{0,3}}(?:#[^\n]{{0,100}})?\n")
_ITEM = re.compile(
    r"(?P<indent>[ \t]{0,40})"
    rf"(?:-[ \t]{{1,3}}|{_Q}(?P<key>[\w.@-]{{1,60}}){_Q}[ \t]?:(?:[ \t]{{1,3}}|(?=\n))|"
    r"(?=\S{4,200}[ \t]{0,3}(?:\n|\Z)))"  # `plain_view` removed the dash as a mark of a diff
)
_COMMENT = re.compile(r"[ \t]{0,40}(?:#[^\n]{0,400})?\n")
_OPENING = re.compile(rf"[\w-]{{0,24}}{_Q}\]?\s?(?::|=>?)\s?\{{\s{{0,80}}")
_ENTRY = re.compile(rf"{_Q}(?P<key>[\w.@-]{{1,60}}){_Q}\s?(?::|=>)\s?(?=\\{{0,8}}[\"'`])")
_COMMA = re.compile(r"\\{0,8}[\"'`]\s{0,3},\s{0,80}")
_MANY = 50


def find_children(text: str, name: str, start: int, end: int) -> Iterator[Judged]:
    """Yield the values in a list or mapping below the name of a password.

    `start` and `end` enclose the keyword in the name. Each value is given as its span, and whether
    it is secret.
    """
    if strength(name) is not Strength.PASSWORD:
        return
    if block := _BLOCK.match(text, end):
        first = text.rfind("\n", max(0, start - 200), start) + 1
        outer = len(text[first:start]) - len(text[first:start].lstrip(" \t-"))
        yield from _lines(text, name, outer, block.end())
    elif opening := _OPENING.match(text, end):
        yield from _entries(text, name, opening.end())


def _lines(text: str, name: str, outer: int, at: int) -> Iterator[Judged]:
    """Yield the values of the next lines that have the same indentation."""
    depth = None
    for _ in range(_MANY):
        item = _ITEM.match(text, at)
        if item:
            inner = len(item["indent"])
            depth = inner if depth is None else depth
            if inner < outer + bool(item["key"]) or inner < depth:
                return
            if inner == depth:
                yield from _judged(text, name, item["key"], item.end())
        elif not _COMMENT.match(text, at):
            return
        line = text.find("\n", at, at + 1000)
        if line < 0:
            return
        at = line + 1


def _entries(text: str, name: str, at: int) -> Iterator[Judged]:
    """Yield the values between braces."""
    for _ in range(_MANY):
        entry = _ENTRY.match(text, at)
        found = value_at(text, entry.end()) if entry else None
        if entry is None or found is None:
            return
        yield from _judged(text, name, entry["key"], entry.end())
        comma = _COMMA.match(text, found[1])
        if comma is None:
            return
        at = comma.end()


def _judged(text: str, name: str, key: str | None, at: int) -> Iterator[Judged]:
    """Yield the value at a position, judged by the name above it and by its own key."""
    found = value_at(text, at)
    if found is None or text[found[1] : found[1] + 1] in (":", "("):
        return
    value = text[found[0] : found[1]]
    label = f"{name}_{key}" if key else name
    quoted = found[2] and has_digit(value) and " " not in value
    made = key is None or kinds(value) >= 3 or is_random(value)
    yield found[0], found[1], made and is_secret(label, value, quoted=quoted)
