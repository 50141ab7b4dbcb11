"""Decode one level of base64 and of percent-encoding."""

import re
from binascii import a2b_base64
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate

from git_lerim.redaction.finding import Finding

Look = Callable[[str], list[Finding]]

_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+|[0-9]+|[a-z_./-]+)\Z")
# Begins with a fixed character, which makes the search fast.
_ESCAPE = re.compile(r"(%[0-9a-fA-F]{2}(?:%[0-9a-fA-F]{2})*)")
_REACH = 200  # characters of context around an escape
_GAP = "\n\n"
_LONGEST = 1 << 16


def _unescape(escape: str) -> str:
    return bytes.fromhex(escape.replace("%", "")).decode("utf-8", "replace")


def find_escaped(text: str, look: Look) -> Iterator[Finding]:
    """Find secrets in percent-encoded text; `look` searches the decoded text."""
    if "%" not in text:
        return
    pieces = _ESCAPE.split(text)  # alternately text and escapes
    if len(pieces) == 1:
        return
    plain = {escape: _unescape(escape) for escape in set(pieces[1::2])}
    stood: list[str] = []
    shown: list[str] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            stood.append(piece)
            shown.append(plain[piece])
        elif len(piece) <= 2 * _REACH:
            stood.append(piece)
            shown.append(piece)
        else:  # the middle is far from any escape, and was already searched
            stood += (piece[:_REACH], piece[_REACH:-_REACH], piece[-_REACH:])
            shown += (piece[:_REACH], _GAP, piece[-_REACH:])
    yield from _back(look("".join(shown)), stood, shown)


def _back(findings: list[Finding], stood: list[str], shown: list[str]) -> Iterator[Finding]:
    """Map findings in a decoded text back to the original text.

    `stood` are the pieces of the original text, and `shown` is what each became in the decoded
    text. Every second piece was decoded or left out. A finding that touches a decoded piece covers
    all of it; a finding ends where text was left out.
    """
    came = [0, *accumulate(map(len, stood))]
    ends = [0, *accumulate(map(len, shown))]
    gaps = [ends[index] for index in range(1, len(shown), 2) if shown[index] == _GAP]
    for found in findings:
        gap = bisect_right(gaps, found.start)
        last = min(found.end, gaps[gap]) - 1 if gap < len(gaps) else found.end - 1
        first, final = bisect_right(ends, found.start) - 1, bisect_right(ends, last) - 1
        start = came[first] if first % 2 else came[first] + found.start - ends[first]
        yield Finding(
            start,
            came[final + 1] if final % 2 else came[final] + last + 1 - ends[final],
            found.rule,
        )


_CONTROL = bytes({*range(32), 127} - {*b"\n\r\t"})
_STANDARD = bytes.maketrans(b"-_", b"+/")
_SPACES = str.maketrans("\n\r\t", "   ")


def _decode(run: str) -> tuple[str, bool] | None:
    """Decode base64; return the result and whether it is text, or None if decoding fails."""
    coded = run[:_LONGEST].encode().translate(_STANDARD, b"=")
    coded = coded[: len(coded) - (len(coded) % 4 == 1)]
    try:
        raw = a2b_base64(coded + b"=" * (-len(coded) % 4))
    except ValueError:
        return None
    if len(raw.translate(None, _CONTROL)) < len(raw):
        return raw.decode("latin-1"), False
    try:
        plain = raw.decode()
    except UnicodeDecodeError:
        plain = raw.decode("latin-1")
    return plain, plain.translate(_SPACES).isprintable()


_PIECE = re.compile(r"[A-Za-z0-9+/]{20,}+={0,2}|[A-Za-z0-9_-]{20,}+={0,2}")


def find_base64(
    text: str, runs: list[tuple[int, int]], look: Look, exact: Look
) -> Iterator[Finding]:
    """Find base64 that contains a secret.

    If the decoded data is text, `look` searches it. Binary data is searched with `exact`, for only
    the user's own secrets.
    """
    readable: list[tuple[tuple[int, int], str]] = []
    binary: list[tuple[tuple[int, int], str]] = []
    for run_start, run_end in runs:
        if run_end - run_start < 20 or _HEX.match(text, run_start, run_end):
            continue
        for piece in _PIECE.finditer(text, run_start, run_end):
            if decoded := _decode(piece[0]):
                plain, is_text = decoded
                (readable if is_text else binary).append((piece.span(), plain))
    yield from _among(readable, look)
    yield from _among(binary, exact)


def _among(pieces: list[tuple[tuple[int, int], str]], look: Look) -> Iterator[Finding]:
    """Search all decoded pieces as one text; yield the spans of pieces that contain secrets."""
    if not pieces:
        return
    ends = list(accumulate(len(plain) + 2 for _, plain in pieces))
    for found in look("\n\n".join(plain for _, plain in pieces)):
        span = pieces[bisect_right(ends, found.start)][0]
        yield Finding(*span, f"base64-{found.rule}")
