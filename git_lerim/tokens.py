"""Text in words and tokens: count, cut, clean. Pure."""

import json
import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
# Invisible characters: tags, zero width, bidi controls, variation selectors, C0 and C1 (but tab and newline).
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
# The same, and lone surrogates, which no terminal can be sent.
_STEERING = re.compile(f"{_INVISIBLE.pattern[:-1]}\ud800-\udfff\u2028\u2029]")


def words(text: str) -> list[str]:
    """Split text into lower-case words."""
    return [w.lower() for w in _WORD.findall(text)]


def visible(text: str) -> str:
    """Return text in NFC without characters that a reader cannot see; tabs and line feeds stay, lone surrogates are replaced."""
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return text if text.isascii() else unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))


def clip(text: str, limit: int) -> str:
    """Cut text to at most `limit` characters, at a word where there is one, with `…` in place of what is gone."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit * 2 // 3)
    return (cut[:space] if space > 0 else cut).rstrip(" ,;:—-") + "…"


def printable(text: str) -> str:
    """Return text with every character that could steer a terminal, or hide, written as an escape; tabs and line feeds stay."""
    if text.isascii() and text.isprintable():
        return text
    return _STEERING.sub(lambda m: m[0].encode("unicode_escape").decode(), text)


def printable_json(text: str) -> str:
    """Return JSON text with the same characters as JSON escapes: equal when read, harmless when printed."""
    return text if text.isascii() and "\x7f" not in text else _STEERING.sub(lambda m: json.dumps(m[0])[1:-1], text)


def span(pair: tuple[int, int]) -> str:
    """Return `3-7`, or `3` for a span of one."""
    return f"{pair[0]}-{pair[1]}" if pair[0] != pair[1] else str(pair[0])


def counted(number: int, noun: str) -> str:
    """Return `1 decision`, `2 decisions`."""
    return (
        f"{number} {noun}" if number == 1 else f"{number} {noun.removesuffix('y') + 'ies' if noun.endswith('ry') else noun + 's'}"
    )
