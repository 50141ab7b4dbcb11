"""Count, cut and clean text in words and tokens."""

# ruff: noqa: PTH112, PTH118, PTH120, PTH123 pathlib alone would cost more than all of this

import functools
import json
import os
import re
import unicodedata
from collections.abc import Callable, Collection

from git_lerim.invisible import CODES, CONTROLS, RETURN, ZERO_WIDTH

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
_INVISIBLE = re.compile(f"[{CONTROLS}{CODES}{RETURN}{ZERO_WIDTH}]")
# The same, with line separators and lone surrogates, which cannot be sent to a terminal.
_STEERING = re.compile(f"{_INVISIBLE.pattern[:-1]}\ud800-\udfff\u2028\u2029]")
# Whole codes of terminals: CSI (colours), strings up to their end (titles, links), character sets.
_CODE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9b-\x9f\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]+[0-~]"
)
_TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", re.MULTILINE)


def words(text: str) -> list[str]:
    """Split text into lower-case words."""
    return [w.lower() for w in _WORD.findall(text)]


def visible(text: str) -> str:
    """Return text in Unicode form NFC, without invisible characters.

    Tabs and line feeds stay. Lone surrogates are replaced.
    """
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return (
        text
        if text.isascii()
        else unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))
    )


def without_codes(text: str) -> str:
    """Return text without the codes that control a terminal, such as colours and links."""
    return _CODE.sub("", text) if not text.isprintable() else text


def clip(text: str, limit: int) -> str:
    """Cut text to at most `limit` characters, at a word boundary if possible, and append `…`."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit * 2 // 3)
    return (cut[:space] if space > 0 else cut).rstrip(" ,;:—-") + "…"


def printable(text: str) -> str:
    """Return text with control and invisible characters escaped, except tabs and line feeds."""
    if text.isascii() and text.isprintable():
        return text
    return _STEERING.sub(lambda m: m[0].encode("unicode_escape").decode(), text)


def printable_json(text: str) -> str:
    """Return equivalent JSON text with control and invisible characters escaped."""
    return (
        text
        if text.isascii() and "\x7f" not in text
        else _STEERING.sub(lambda m: json.dumps(m[0])[1:-1], text)
    )


def span(pair: tuple[int, int]) -> str:
    """Return a range of numbers as `3-7`, or as `3` if both are equal."""
    return f"{pair[0]}-{pair[1]}" if pair[0] != pair[1] else str(pair[0])


def local_times(text: str) -> str:
    """Return text with the UTC time at the beginning of any line replaced by local time."""
    return _TIME.sub(_local, text)


def _local(found: re.Match[str]) -> str:
    from datetime import datetime  # noqa: PLC0415 fast paths show only days

    try:
        return f"{datetime.fromisoformat(found[0]).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):  # no such day; on Windows, all before 1970
        return found[0]


def unknown(what: str, word: str, known: Collection[str]) -> str:
    """Return the message that `word` is not a known `what`, suggesting similar names."""
    import difflib  # noqa: PLC0415 needed on a typing mistake only

    near = difflib.get_close_matches(word, known, cutoff=0.82) or [
        name for name in known if sorted(name) == sorted(word)
    ]
    return f"no such {what}: {word}" + (f". Did you mean {' or '.join(near)}?" if near else "")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as `1 decision` or `2 decisions`."""
    return (
        f"{number} {noun}"
        if number == 1
        else f"{number} {noun.removesuffix('y') + 'ies' if noun.endswith('ry') else noun + 's'}"
    )


# Below, a token is what a language model counts. `at_most` was measured with the vocabularies
# cl100k and o200k. Both first split a text into parts: a word with the space or mark before it, up
# to three digits, marks with the space before them, or a run of spaces. A common word is one token,
# and other words have about one for four letters. Words mixed with digits are ids and hashes, which
# have more. There, what counts is that nearly all pairs of letters of one case are tokens, so that
# no two single letters stay side by side, and 3 letters make at most 2 tokens.
_PART = re.compile(r" ?[A-Za-z0-9]+[^\0-\x7f]?| ?[!-/:-@\[-`{-~]+| {2,}")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_VOWELS = frozenset("aeiouyAEIOUY")
_UNMERGED = re.compile("[jqxzJQXZVWY]|gk|wv|yf|yv|GK|KU|LH|UH|UO")


def at_most(text: str) -> int:
    """Return a number of tokens that a text hardly ever exceeds.

    For English and code, it is 1.2 to 1.5 times the real number. What is not ASCII counts as one
    token for each byte, and no tokenizer of bytes makes more of it.
    """
    return len(text.encode("utf-8", "surrogatepass")) - sum(map(_saved, _PART.findall(text)))


@functools.lru_cache(maxsize=4096)
def _saved(part: str) -> int:
    """Return how many fewer tokens than characters a part of a text has, ignoring other scripts."""
    ends_here = part.isascii()
    part = part if ends_here else part[:-1]
    word = part.lstrip(" ")
    if not word:
        return len(part) - 2  # the last space belongs to what follows
    if not word[0].isalnum():
        return len(part) - (len(word) + 1) // 2
    if part[0] == " " and ends_here and _is_common(word):
        return len(part) - 1
    if word.islower() and word.isalpha():
        return len(part) - _tokens_of(word)
    count = _tokens_of if word.isalpha() else _tokens_in_id
    alone = part[0] == " " and word[0].isdigit()  # no digit merges with a space
    return len(part) - alone - sum(map(count, _RUN.findall(word)))


def _is_common(word: str) -> bool:
    known = _common_words()
    return word in known or (word[1:].islower() and word.lower() in known)


def _tokens_of(word: str) -> int:
    """Return about how many tokens a word of one case, perhaps with a capital, has."""
    if len(word) > 3 and _VOWELS.isdisjoint(word):
        return _tokens_in_id(word)
    if word.islower():
        return (len(word) + 3) // 4
    return len(word) // (3 if word.isupper() else 4) + 1


def _tokens_in_id(run: str) -> int:
    """Return the most tokens that a run of digits, or of letters in an id, can have."""
    if run[0].isdigit():
        return (len(run) + 2) // 3
    if _UNMERGED.search(run):
        return len(run)
    capital = not run.islower() and not run.isupper()  # it does not merge with small letters
    return capital + (2 * (len(run) - capital) + 1) // 3


@functools.cache
def _common_words() -> frozenset[str]:
    """Return the common words that are one token if they follow a space.

    They may be in lower case or capitalised.
    """
    with open(
        os.path.join(os.path.dirname(__file__), "common_words.txt"), encoding="ascii"
    ) as file:
        return frozenset(file.read().split())


# The vocabularies of tiktoken, each with the SHA-256 of its file. The hash of the URL from which
# tiktoken fetches it is the name of the cached copy.
_VOCABULARIES = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
_FETCHED_FROM = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


def counter(model: str) -> Callable[[str], int] | None:
    """Return a function that counts a model's tokens exactly, or None.

    It is None if the model's vocabulary is not on this machine: vocabularies are never downloaded.
    """
    if not model or not (folder := _vocabularies()):
        return None
    import tiktoken  # noqa: PLC0415 takes longer than most runs

    try:
        name = tiktoken.encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        return None
    if not _is_whole(folder, name):
        return None
    encoding = tiktoken.get_encoding(name)
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _vocabularies() -> str | None:
    """Return tiktoken's cache folder if there is one."""
    told = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if told is None:
        import tempfile  # noqa: PLC0415 only where a model is set

        told = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    return told if told and os.path.isdir(told) else None


def _is_whole(folder: str, name: str) -> bool:
    """Return whether a vocabulary is intact; tiktoken would download it again otherwise."""
    import hashlib  # noqa: PLC0415 only where a model is set

    try:
        copy = os.path.join(
            folder,
            hashlib.sha1(_FETCHED_FROM.format(name).encode(), usedforsecurity=False).hexdigest(),
        )
        with open(copy, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest() == _VOCABULARIES.get(name)
    except OSError:
        return False
