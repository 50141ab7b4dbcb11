"""Find the extent of a value: inside quotes, at any depth of escaping, or bare."""

import re
from collections.abc import Callable, Iterator
from string import ascii_letters, digits

# characters of scripts without spaces, and quotes
_NO_WRITING = "\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef\u00bb\u201c\u201d\u2019"
BARE = re.compile(
    rf"(?:[^\s\"'`,;<>()\[\]{{}}|&\\{_NO_WRITING}]++|&(?!&|amp;|[\w.-]{{1,40}}=)|"
    rf"\\(?![nrt\"'\\/u]))++"
)
WHOLE = re.compile(
    r"(?:[^\s\"'`,;<>()\[\]{}|&\\]|\\(?![nrt\"'\\/u]))(?:[^\s\"'`,;<>|&\\]++|\\(?![nrt\"'\\/u]))*+"
)
_SHORTEST, _LONGEST = 3, 512
_COMMAND = 4000  # characters
_QUOTES = frozenset("\\\"'`")
_TRIPLE = re.compile(
    r"(?P<quote>\\{0,8}[\"'])(?P=quote){2}\s{0,40}(?P<value>[^\s\"'\\]{4,200})\s{0,40}(?P=quote){3}"
)
_OPENING = re.compile(r"\\{0,8}[\"'`]")
_NAME = ascii_letters + digits + "_-."


def quoted_at(text: str, at: int) -> tuple[int, int] | None:
    """Return the span between the quote at a position and the quote that closes the string.

    Both quotes must be escaped to the same depth. Return None if there is no such span.
    """
    quote = at
    while text[quote] == "\\" and quote < at + 8:
        quote += 1
    opening = text[at : quote + 1]
    start = close = quote + 1
    while (close := text.find(opening, close, start + _LONGEST)) >= 0:
        if len(opening) > 1 or text[close - 1] != "\\" or text[close - 2 : close] == "\\\\":
            break
        close += 1
    return (start, close) if close > start and "\n" not in text[start:close] else None


def value_at(text: str, at: int, bare: re.Pattern[str] = BARE) -> tuple[int, int, bool] | None:
    """Return the span of the value that begins at `at`, and whether it is quoted.

    Return None if no value begins there.
    """
    if text[at : at + 1] in _QUOTES and (opening := _OPENING.match(text, at)):
        inside = quoted_at(text, at)
        if inside:
            return (*inside, True)
        if triple := _TRIPLE.match(text, at):
            return (*triple.span("value"), True)
        at = opening.end()
    found = bare.match(text, at, at + _LONGEST)
    if not found or found.end() < at + _SHORTEST:
        return None
    end = found.end()
    while (
        end > at
        and text[end - 1] in ".:?}]"
        and text[end : end + 1] in ("", " ", "\n", ",", "}", "]")
    ):
        end -= 1
    return at, end, False


def matches_at(
    text: str, word: str, look: Callable[[str, int], re.Match[str] | None]
) -> Iterator[re.Match[str]]:
    """Yield the matches that `look` finds at each occurrence of a word, without overlap."""
    at, done = text.find(word), 0
    while at >= 0:
        hit = look(text, at) if at >= done else None
        if hit:
            done = hit.end()
            yield hit
        at = text.find(word, at + len(word))


def name_before(text: str, start: int) -> str:
    """Return the part of a name before a keyword in it that starts at `start`."""
    left = text[max(0, start - 48) : start]
    return left[len(left.rstrip(_NAME)) :]


def line_end(text: str, at: int) -> int:
    """Return the end of a command's line, including its continuation after a backslash."""
    limit = min(len(text), at + _COMMAND)
    end = text.find("\n", at, limit)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1, limit)
    return end if end >= 0 else limit
