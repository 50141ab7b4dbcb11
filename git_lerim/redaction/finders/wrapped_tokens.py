"""Find tokens that a terminal or a mail program wrapped over several lines.

The first line of such a token has a prefix that only tokens have. The next lines belong to it if
they bring it to the length that its vendor documents, or else if they look like more of the token.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from git_lerim.redaction.finders.vendor_tokens import prefixed
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import (
    has_digit,
    is_masked,
    is_plain,
    is_random,
    is_worded,
    kinds,
)

_WEB = "eyJ"  # a web token begins with a JSON object
_PREFIXES = (
    _WEB, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "sk_live_",
    "sk_test_", "rk_live_", "AKIA", "ASIA", "AIza", "xoxb-", "xoxp-", "xapp-", "npm_", "hf_",
    "pypi-AgE", "GOCSPX-", "ya29.", "hvs.", "dop_v1_", "shpat_", "dckr_pat_",
)  # fmt: skip
_SIZES = {  # lengths of the text after a prefix, where these are fixed
    **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"), (36,)),
    **dict.fromkeys(("AKIA", "ASIA"), (16,)),
    "github_pat_": (82,), "AIza": (35,), "hf_": (34,), "shpat_": (32,), "dop_v1_": (64,),
}  # fmt: skip
_SIGNATURES = {  # characters of a web token's signature, by algorithm
    "HS256": (43,), "HS384": (64,), "HS512": (86,),
    "ES256": (86,), "ES384": (128,), "ES512": (176,), "EdDSA": (86, 152),
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), (342, 512, 683)),
}  # fmt: skip
_CHARS = r"[A-Za-z0-9_.+/%-]"
_QUOTES = "\"'`,;)]}<"
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[-_]|\d")
_WIDEST = 400  # characters of a line
_SHORTEST = 8  # characters of a line, except for the last one
_LINES = 400
_PIECE = re.compile(rf"{_CHARS}{{1,{_WIDEST}}}")
_BREAK = re.compile(r"=?[ \t]{0,8}\\?\n[ \t]{0,40}")
_CLOSED = re.compile(r"={0,2}(?:[\s\"'`,;)\]}<>&|\\]|\Z)")
_LONGEST_HEADER = 4096
_EFFORT = 2  # characters read per character of the text, at most: only hostile text needs more


class _Piece(NamedTuple):
    start: int
    end: int
    width: int  # from the start of its line to its own end
    is_line: bool  # whether its line ends after it
    is_end: bool  # whether its line or its string literal ends after it

    @property
    def size(self) -> int:
        return self.end - self.start


class _State(Enum):
    """Whether the part of a token that was read so far may be the whole token."""

    SHORT = auto()
    ENOUGH = auto()  # the token may be complete
    DONE = auto()
    OPEN = auto()  # the length of the token is not known
    WRONG = auto()


_WHOLE = {_State.ENOUGH, _State.DONE}
_Judge = Callable[[str], _State]


def find_wrapped(text: str) -> Iterator[Finding]:
    """Find tokens with a documented prefix that continue in the next lines."""
    effort, end = _EFFORT * len(text) + (1 << 16), 0
    for start, prefix in _anchors(text):
        if start < end:
            continue
        pieces = list(islice(_pieces(text, start, prefix), _LINES))
        effort -= pieces[-1].end - start
        if effort < 0:
            return
        if found := _token(text, prefix, pieces):
            end = found[0]
            yield Finding(start, end, found[1])


def _anchors(text: str) -> list[tuple[int, str]]:
    """Return each prefix in the last word of a line, with its position."""
    found = []
    for prefix in _PREFIXES if "\n" in text else ():
        if prefix in text:  # much faster than the pattern
            least = max(0, _SHORTEST - len(prefix))
            rest = rf"{_CHARS}{{{least},{_WIDEST}}}+{_BREAK.pattern}"
            anchor = re.compile(rf"(?<![A-Za-z0-9]){re.escape(prefix)}(?={rest})")
            found += [(hit.start(), prefix) for hit in anchor.finditer(text)]
    return sorted(found)


def _pieces(text: str, start: int, prefix: str) -> Iterator[_Piece]:
    """Yield the text after a prefix, line by line, up to a line where something else follows."""
    first = at = start + len(prefix)
    line = text.rfind("\n", max(0, start - _WIDEST), start) + 1
    while (piece := _PIECE.match(text, at)) or at == first:
        end = piece.end() if piece else at
        after = _BREAK.match(text, end)
        is_line = after is not None or end == len(text)
        is_end = is_line or text[end] in _QUOTES
        yield _Piece(at, end, end - line, is_line, is_end)
        if after is None:
            return
        line, at = text.find("\n", end) + 1, after.end()


def _token(text: str, prefix: str, pieces: Sequence[_Piece]) -> tuple[int, str] | None:
    """Return the end and the rule of a token in several lines, or None."""
    judge = _web_state if prefix == _WEB else _sized(prefix)
    for is_sized in (True, False):
        taken, state = _taken(text, pieces, judge, is_sized=is_sized)
        rows = [text[piece.start : piece.end] for piece in taken]
        # random text does not repeat a line
        body = "".join(rows if is_sized else dict.fromkeys(rows))
        if len(taken) < 2 or (is_sized and state not in _WHOLE) or is_masked(body):
            continue
        if prefix == _WEB:
            return (taken[-1].end, "jwt") if _part(body, 0) and body.count(".") else None
        rule, size = prefixed(prefix, body)
        is_even = has_digit(body) and _is_even(taken)
        if size == len(body) and (is_sized or is_random(body) or is_even):
            return taken[-1].end, rule
    return None


def _taken(
    text: str, pieces: Sequence[_Piece], judge: _Judge, *, is_sized: bool
) -> tuple[list[_Piece], _State]:
    """Return the lines that make up a token, and whether the token is complete.

    With `is_sized`, take any lines that bring the token to its documented length; else only lines
    that look like more of the token.
    """
    taken, body = [pieces[0]], text[pieces[0].start : pieces[0].end]
    state = judge(body)
    for piece in pieces[1:]:
        if state in {_State.DONE, _State.WRONG}:
            break
        word = text[piece.start : piece.end]
        then = judge(body + word)
        if word.startswith(_PREFIXES[1:]) or not _CLOSED.match(text, piece.end):
            break
        is_due = state is _State.SHORT and (then in _WHOLE or _is_full(piece))
        is_like = not (is_sized and state is _State.SHORT) and _is_like(word, piece, taken)
        if not (is_due or is_like) or (is_sized and then is _State.WRONG):
            break
        taken.append(piece)
        body, state = body + word, then
    return taken, state


def _is_full(piece: _Piece) -> bool:
    return piece.is_line and piece.size >= _SHORTEST


def _is_like(word: str, piece: _Piece, taken: Sequence[_Piece]) -> bool:
    """Return whether a word may be one more line of a token of unknown length."""
    last = taken[-1]
    if _is_full(piece) and (piece.width == last.width or piece.size == last.size):
        return True
    if not piece.is_end:
        return False
    if len(word) >= _SHORTEST:
        mixed = kinds(re.sub(r"[^A-Za-z0-9]", "", word))
        return not is_plain(word) and (mixed > 2 or (mixed > 1 and not is_worded(word)))
    if _MIXED.search(word) and kinds(word) > 1:
        return True
    return piece.is_line and len(taken) > 2 and _is_even(taken)


def _is_even(taken: Sequence[_Piece]) -> bool:
    """Return whether all lines but the first and the last are equally wide."""
    return len({piece.width for piece in taken[1:-1]}) <= 1


def _sized(prefix: str) -> _Judge:
    sizes = _SIZES.get(prefix)

    def state(body: str) -> _State:
        if sizes is None:
            return _State.OPEN
        if len(body) in sizes:
            return _State.DONE
        return _State.SHORT if len(body) < max(sizes) else _State.WRONG

    return state


def _web_state(body: str) -> _State:
    """Return whether a web token (JWT) may be complete, judging by the parts that it has."""
    parts = body.split(".")
    header = _part(body, 0) if len(parts) > 1 else {}
    if not header:
        return _State.WRONG if len(parts) > 1 or len(body) > _LONGEST_HEADER else _State.SHORT
    if "enc" in header:  # encrypted: five parts
        return _State.SHORT if len(parts) < 5 else _State.OPEN
    sizes = _SIGNATURES.get(str(header.get("alg")), ())
    size = len(parts[2]) if len(parts) == 3 else 0
    if size in sizes:
        return _State.DONE if size == sizes[-1] else _State.ENOUGH
    return _State.SHORT if len(parts) == 2 or (sizes and size < sizes[-1]) else _State.OPEN


def _part(body: str, number: int) -> dict[str, Any]:
    """Return a part of a web token, decoded from base64 and JSON; empty if it is invalid."""
    part = (_WEB + body).split(".")[number]
    try:
        decoded = msgspec.json.decode(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, msgspec.MsgspecError):
        return {}
    return decoded if isinstance(decoded, dict) else {}
