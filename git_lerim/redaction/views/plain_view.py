"""Remove decoration from text: colours, hidden characters, line numbers, diff marks, escapes."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from git_lerim.invisible import CODES, CONTROLS, FILLERS, NORMALIZED, ZERO_WIDTH
from git_lerim.redaction.finding import Finding

_UNSEEN = f"{CONTROLS}{ZERO_WIDTH}{FILLERS}"
_HIDDEN = re.compile(f"[{_UNSEEN}{''.join(NORMALIZED)}]")
_FEW = 8  # different hidden characters for which an own pattern is worth while
_SEEN = bytes([*b"\t\n\r\x1b", *range(0x20, 0x7F)])
_ABSENT = re.compile(f"[{_UNSEEN}{CODES}]")
_CODE = (
    r"(?:\[[0-9;:?]{0,40}[@-~]|\][^\x07\x1b\\\n]{0,400}(?:\x07|\x1b\\|\\{1,8}(?:u0007|a|"
    r"u001b\\*))|\([AB0])"
)
# Every branch begins with a fixed character, which makes the search fast.
_ESCAPES = (
    rf"\\\\{{0,7}}(?:[nt/_]|r(?:\\{{1,8}}n)?|(?:u00[19][bB]|x1[bB]|e|033){_CODE}|u[0-9a-fA-F]{{4}}|"
    r"x[0-9a-fA-F]{2})"
)
_ENTITY = r"&(?:#(?:95|45|[xX](?:5[fF]|2[dD]))|lowbar|hyphen);"  # `_` and `-`, as in tokens
_MARKS = (
    rf"{_ESCAPES}|{_ENTITY}|\x1b(?:{_CODE})?|\x9b(?:[0-9;:?]{{0,40}}[@-~])?|\r(?=\n)|\^\[{_CODE}|"
    rf"\u241b{_CODE}|\[\d{{1,3}}(?:;\d{{1,3}}){{0,8}}m(?:\[K)?|\[m(?:\[K|(?=[\s=:,;\"'|]|\Z))"
)
_DECORATION = re.compile(f"({_MARKS})")
_DECORATION_UNSEEN = re.compile(rf"({_MARKS}|[{_UNSEEN}]+|[{''.join(NORMALIZED)}])")
# Of a terminal code, this removes only the first character: the pattern of a whole code may also
# match text after it, where a secret could hide.
_NO_CODES = re.compile(
    rf"({_ESCAPES}|{_ENTITY}|\r(?=\n)|[{_UNSEEN}{CODES}]+|[{''.join(NORMALIZED)}])"
)
_HIDING_CODE = re.compile(rf"\x1b(?!\[[0-9;:]{{0,40}}[mK]){_CODE}|\x9b[0-9;:?]{{0,40}}[@-~]")
_ESCAPED = {"n": "\n", "r": "\n", "t": "\t", "/": "/", "_": "_"}
_NUMBER = re.compile(r"\\+[ux]([0-9a-fA-F]{2,4})\Z")
_BAR = r"(?:\u2192|\t|[\u2502\u2503|](?![|])[ ]?|:(?![\d:])[ \t]?|[ ]{2,8}(?=\S))"
_PREFIXES = (
    # cat -n, grep -n, an agent's reader, a numbered diff
    rf"(?:[ \t]{{0,12}}+(?:[+-][ \t]{{0,12}}+)?\d{{1,6}}+[ ]?{_BAR}"
    r"|[0-9a-f]{7,40} \([^)\n]{10,80} \d{1,6}\) "  # git blame
    r"|[+>](?![+>=])[ ]?|-(?=[ \t\n\w\"'|{`])(?!\w[ \t=])){1,3}+"  # a diff, a quotation
)
# `_PREFIX` also matches a line number at the start of a string.
_LINE_PREFIX = re.compile(rf"(\n{_PREFIXES})")
_STRING_PREFIX = re.compile(r"\"[ \t]{0,12}\d{1,6}(?:\u2192|\t)")
_PREFIX = re.compile(rf"(\n{_PREFIXES}|{_STRING_PREFIX.pattern})")
_FIRST_PREFIX = re.compile(_PREFIXES)


class _Edits:
    """The pieces of a text, every second of which is to be replaced, and what replaces them."""

    def __init__(self, pieces: list[str], plain: Mapping[str, str]) -> None:
        self._pieces = pieces
        self._plain = plain

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        """Return the positions where the pieces end, in the new text and in the original."""
        shown = [
            len(self._plain[piece]) if index % 2 else len(piece)
            for index, piece in enumerate(self._pieces)
        ]
        return [0, *accumulate(shown)], [0, *accumulate(map(len, self._pieces))]

    @property
    def text(self) -> str:
        """The text after the replacements."""
        shown = list(self._pieces)
        shown[1::2] = map(self._plain.__getitem__, self._pieces[1::2])
        return "".join(shown)

    def seams(self) -> Iterator[int]:
        """Yield the positions in the new text where a piece was removed completely."""
        for index in range(1, len(self._pieces), 2):
            if not self._plain[self._pieces[index]]:
                yield self._ends[0][index]

    def before(self, position: int) -> tuple[int, int]:
        """Return the original span of the character at a position in the new text.

        If the character is part of a replacement, return the span of the whole replaced piece.
        """
        shown, stood = self._ends
        index = min(bisect_right(shown, position), len(self._pieces)) - 1
        if index % 2:
            return stood[index], stood[index + 1]
        start = stood[index] + position - shown[index]
        return start, start + 1

    def after(self, position: int) -> int:
        """Return the position in the new text of a character that was kept.

        `position` is where the character was in the original text.
        """
        shown, stood = self._ends
        index = bisect_right(stood, position) - 1
        return shown[index] + position - stood[index]


class View(NamedTuple):
    """A text without decoration, with what is needed to map positions back to the original."""

    text: str
    edits: tuple[_Edits, ...] = ()
    seams: frozenset[int] = frozenset()  # where colour codes were removed: a token may begin there

    def traced_back(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings with their spans in the original text."""
        for found in findings:
            start, end = found.start, found.end
            for edits in self.edits:
                start, end = edits.before(start)[0], edits.before(end - 1)[1]
            yield Finding(start, end, found.rule)


def views(text: str) -> Iterator[View]:
    """Yield a view of a text as a reader sees it.

    If terminal codes may hide text from the reader, also yield a view with the hidden text.
    """
    yield plain_view(text)
    if _HIDING_CODE.search(text):
        yield _view(text, _NO_CODES)


def plain_view(text: str) -> View:
    """Remove decoration from a text: codes and escapes first, then prefixes of lines.

    Return the result as a `View`, which maps positions back to the text.
    """
    return _view(text, _pattern_for(text))


def without_invisible(text: str) -> str:
    """Return a text without invisible characters."""
    return _ABSENT.sub("", text)


def _pattern_for(text: str) -> re.Pattern[str]:
    """Return a pattern for only the kinds of decoration that a text may contain, for speed."""
    others = text.encode("utf-8", "surrogatepass").translate(None, _SEEN)
    hidden = set(_HIDDEN.findall(others.decode("utf-8", "surrogatepass"))) if others else set()
    if len(hidden) > _FEW:
        return _DECORATION_UNSEEN
    return _with_hidden("".join(sorted(hidden))) if hidden else _DECORATION


@lru_cache(maxsize=32)
def _with_hidden(hidden: str) -> re.Pattern[str]:
    """Return a pattern for decoration and some hidden characters.

    The pattern has a branch for each character, for speed.
    """
    return re.compile(f"({'|'.join([_MARKS, *hidden])})")


def _view(text: str, pattern: re.Pattern[str]) -> View:
    done: list[_Edits] = []
    seams: Iterable[int] = ()
    pieces = pattern.split(text)
    if len(pieces) > 1:
        plain = {mark: _plain(mark) for mark in set(pieces[1::2])}
        done.append(_Edits(pieces, plain))
        text = done[0].text
        seams = done[0].seams() if "" in plain.values() else ()
    pieces = (_PREFIX if _STRING_PREFIX.search(text) else _LINE_PREFIX).split(text)
    first = _FIRST_PREFIX.match(text)
    if first and first.end() <= len(pieces[0]):
        pieces[:1] = "", first[0], pieces[0][first.end() :]
    if len(pieces) > 1:
        plain = {prefix: prefix[0] if prefix[0] in '\n"' else "" for prefix in set(pieces[1::2])}
        done.insert(0, _Edits(pieces, plain))
        text = done[0].text
        seams = map(done[0].after, seams)
    return View(text, tuple(done), frozenset(seams))


def _plain(mark: str) -> str:
    """Return what an escape shows to a reader: a character, or an empty string."""
    if mark in NORMALIZED:
        return NORMALIZED[mark]
    if mark[0] == "&":
        return "-" if mark[-3:-1].lower() in {"45", "2d", "en"} else "_"
    escape = mark.lstrip("\\")
    if escape == mark or escape[0] in _ESCAPED:
        return _ESCAPED[escape[0]] if escape != mark else ""
    number = _NUMBER.match(mark)
    char = chr(int(number[1], 16)) if number else ""
    return "" if _ABSENT.match(char) else char
