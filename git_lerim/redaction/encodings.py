"""Look one level below base64, URL and JSON escapes, and behind characters that nobody sees."""

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate

from git_lerim.redaction.finding import Finding

Look = Callable[[str], list[Finding]]

_HIDDEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]+")
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+|[0-9]+|[a-z_./-]+)\Z")
_ESCAPES = tuple(
    re.compile(pattern) for pattern in (r"%[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*", r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|/)")
)
_REACH = 200  # characters around an escape that are read with it
_LONGEST = 1 << 16


def _without(text: str, pattern: re.Pattern[str], decode: Callable[[str], str], start: int, end: int) -> tuple[str, list[int]]:
    """Replace what the pattern matches; return the text and, for each of its characters, where it came from."""
    parts: list[str] = []
    origin: list[int] = []
    at = start
    for found in pattern.finditer(text, start, end):
        plain = decode(found[0])
        parts += (text[at : found.start()], plain)
        origin += range(at, found.start())
        origin += [found.start()] * len(plain)
        at = found.end()
    parts.append(text[at:end])
    origin += range(at, end + 1)
    return "".join(parts), origin


def _back(findings: list[Finding], origin: list[int]) -> Iterator[Finding]:
    for found in findings:
        end = origin[found.end - 1] + 1 if origin[found.end] == origin[found.end - 1] + 1 else origin[found.end]
        yield Finding(origin[found.start], max(end, origin[found.start] + 1), found.rule)


def find_hidden(text: str, look: Look) -> Iterator[Finding]:
    """Find secrets that zero-width characters break up."""
    if text.isascii() or not _HIDDEN.search(text):
        return
    plain, origin = _without(text, _HIDDEN, lambda _: "", 0, len(text))
    yield from _back(look(plain), origin)


def _unescape(escape: str) -> str:
    if escape[0] == "%":
        return bytes.fromhex(escape.replace("%", "")).decode("utf-8", "replace")
    return "/" if escape[1] == "/" else chr(int(escape[2:], 16))  # noqa: FURB166 - `\x` is no prefix that int knows


def _windows(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = end = -1
    for found in pattern.finditer(text):
        if end < 0 or found.start() - _REACH > end:
            if end >= 0:
                yield start, end
            start = max(0, found.start() - _REACH)
        end = min(len(text), found.end() + _REACH)
    if end >= 0:
        yield start, end


def find_escaped(text: str, look: Look) -> Iterator[Finding]:
    """Find secrets behind percent signs and the backslash escapes of JSON and of programs."""
    for pattern in _ESCAPES:
        for start, end in _windows(text, pattern):
            plain, origin = _without(text, pattern, _unescape, start, end)
            yield from _back(look(plain), origin)


def _plain(run: str) -> str | None:
    """Decode a run of base64 to text; None where it is no text."""
    run = run.rstrip("=")
    run = run[: len(run) - (len(run) % 4 == 1)]
    try:
        raw = (urlsafe_b64decode if "-" in run or "_" in run else b64decode)(run[:_LONGEST] + "=" * (-len(run[:_LONGEST]) % 4))
    except (Error, ValueError):
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


_PIECE = re.compile(r"[A-Za-z0-9+/]{20,}+={0,2}|[A-Za-z0-9_-]{20,}+={0,2}")


def find_base64(text: str, runs: list[tuple[int, int]], look: Look, exact: Look) -> Iterator[Finding]:
    """Find runs of base64 with a secret inside; only the user's own ones where what was encoded is no text."""
    readable: list[tuple[tuple[int, int], str]] = []
    binary: list[tuple[tuple[int, int], str]] = []
    for run_start, run_end in runs:
        if run_end - run_start < 20 or _HEX.match(text, run_start, run_end):
            continue
        for piece in _PIECE.finditer(text, run_start, run_end):
            plain = _plain(piece[0])
            if plain is not None:
                is_text = plain.translate(_SPACES).isprintable()
                (readable if is_text else binary).append((piece.span(), plain))
    yield from _among(readable, look)
    yield from _among(binary, exact)


_SPACES = str.maketrans("\n\r\t", "   ")


def _among(pieces: list[tuple[tuple[int, int], str]], look: Look) -> Iterator[Finding]:
    """Look at all decoded pieces as one text, and name the pieces where something was found."""
    if not pieces:
        return
    ends = list(accumulate(len(plain) + 2 for _, plain in pieces))
    for found in look("\n\n".join(plain for _, plain in pieces)):
        span = pieces[bisect_right(ends, found.start)][0]
        yield Finding(*span, f"base64-{found.rule}")
