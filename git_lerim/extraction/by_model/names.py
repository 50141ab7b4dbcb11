"""Compare the names in two texts: identifiers, paths, numbers and all text in backticks."""

import re

from git_lerim.extraction.transcript.words import identifiers

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
_CODE = re.compile(r"`([^`\n]+)`")
_SPACES = re.compile(r"\s+")
_EDGES = "`'\"(.,:;!?"


def missing(text: str, other: str) -> list[str]:
    """Return the names in a text that do not occur, word for word, in another text."""
    plain = _plain(other)
    return [name for name in _names(text) if not _has(plain, _plain(name))]


def _names(text: str) -> list[str]:
    found = [*_CODE.findall(text), *identifiers(text), *_NUMBER.findall(text)]
    stripped = (name.strip(_EDGES) for name in found)
    return list(dict.fromkeys(name for name in stripped if name))


def _has(text: str, name: str) -> bool:
    before = r"(?<!\w)" if name[0].isalnum() else ""
    after = r"(?!\w)" if name[-1].isalnum() else ""
    return re.search(f"{before}{re.escape(name)}{after}", text) is not None


def without_spaces(text: str) -> str:
    """Return a text without spaces, the form in which quotes are compared."""
    return _SPACES.sub("", text)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
