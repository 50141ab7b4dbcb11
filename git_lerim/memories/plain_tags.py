"""Tell tags that only name something from tags that can be read as a sentence."""

import re

_TAG = re.compile(r"[\w.+#-]{1,30}")
_BETWEEN_WORDS = re.compile(r"[\W_]+|(?<=[a-z0-9])(?=[A-Z])")
_WORDS = 3  # what has more may be a sentence
_LETTERS = 20  # of a word; what has more may be several words
# in scripts that put no spaces between words
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{9}")


def words_in(tag: str) -> list[str]:
    """Return the words in a tag, whatever joins them."""
    return [word for word in _BETWEEN_WORDS.split(tag) if word]


def is_plain(tag: str) -> bool:
    """Return whether a tag is too short to be a sentence."""
    words = words_in(tag)
    return (
        _TAG.fullmatch(tag) is not None
        and len(words) <= _WORDS
        and all(len(word) <= _LETTERS for word in words)
        and _UNSPACED.search(tag) is None
    )
