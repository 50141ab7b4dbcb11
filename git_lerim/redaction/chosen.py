"""Recognize secrets that people choose, made of words, digits and signs: `Tr0ub4dor-3`."""

import re

from git_lerim.redaction.secret_names import names_no_secret
from git_lerim.redaction.value_shape import (
    has_digit,
    is_code,
    is_numbered,
    is_placeholder,
    is_plain,
    is_random,
    kinds,
)

_LEAST = 6  # characters
_JOINT = re.compile(r"[-._/!]")
_OTHER = re.compile(r"[^A-Za-z0-9]")
_SIGN = re.compile(r"[!$%^#&*+@~]")
# a digit that takes the place of a letter, as in `s3cret`
_INSIDE = re.compile(r"(?<=[A-Za-z])\d{1,2}(?=[a-z])")
# names with such a digit: `k8s`, `v1beta1`, `argon2id`
_TECHNICAL = re.compile(
    r"(?<![^\W_])(?:[a-z]\d{1,3}[a-z]|v\d+(?:(?:alpha|beta|rc)\d*)?|argon2\w*|pbkdf2\w*|"
    r"base\d\d\w*|o?auth[02]\w*|utf\d\w*|sha\d\w*|md5\w*|http2\w*|ipv[46]\w*|web3\w*|log4j\w*|"
    r"neo4j\w*|x509\w*|totp\w*|fido2\w*|pkcs\d\w*|wpa\d\w*)(?![^\W_])",
    re.IGNORECASE,
)
_FILE = re.compile(r"[~.]{0,2}/|.*/[^/]*\.[A-Za-z]{1,5}\d?\Z")
_TICKET = re.compile(r"[A-Z][A-Z0-9]+[-_]\d")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-[01]\d(?!\d)")
_CAPITAL = r"[^\W\d_a-z][^\W\d_A-Z]{2,}"
_WORD = r"[^\W\d_]{3,}"
_JOINED = re.compile(
    # "coral-7-lamp-9", "Sommer-2026-x", "Sommer-Regen-2024"
    rf"{_WORD}(?:[-.]\d{{1,6}}[-.]{_WORD}){{1,3}}[-.]?\d{{1,6}}\Z"
    rf"|{_CAPITAL}[-.](?:\d\d|\d{{4}})[-.][^\W\d_]{{1,4}}\Z"
    rf"|{_CAPITAL}(?:[-.]{_WORD}){{1,4}}[-.]?\d{{2,6}}\Z"
)
_SMALL = re.compile(r"[^\W\d_]{2,}(?:[-.][^\W\d_]{1,20}){1,4}[-.]\d{1,6}\Z")
_GROUPS = re.compile(r"[a-z]{4,8}-(?!(?:19|20)\d\d-)\d{3,8}(?:-(?:[a-z]{4,8}|\d{2,8})){2,4}\Z")
_NATURAL = frozenset(("tree", "stream", "ring", "point", "note", "color"))
_PROGRAM = re.compile(
    r"(?:app|api|web|core|module|service|server|client|node|input|output|component|dialog|view|"
    r"login|logout|signin|password|pass|pw|vault|kit|lib|plugin|package|branch|commit|pr|id|key|"
    r"secret|user|admin|role|access|db|data|config|env|prod|staging|dev|v|beta|alpha|rc|min|max|"
    r"least|only|first|second|than|is|not|no|must|and|or)s?\Z",
    re.IGNORECASE,
)
# a word, digits and a few letters, such as `mooncat60x`; a word and a year
_TAILED = re.compile(r"[^\W\d_]{4,}(?:\d{1,4}[a-z]{1,2}|(?:19|20)\d\d)\Z")

# "hunter2!", "Sommer2024!!"; "k!tty", "tulpen#7", "Pg!2024x", but not the issue "#12", "a=b", "$1"
_MARK_LAST = re.compile(r"[^\W\d_]{3,}[\w.-]{0,20}\d[!?#$%*+]{1,3}\Z")
_MARK_INSIDE = re.compile(
    r"(?=(?:[\W\d_]{0,9}[^\W\d_]){3})[\w.-]{1,40}(?:!\w[\w.-]{0,40}|[#$*+?^~]\w{1,40})[!?]{0,2}\Z"
)
_LETTER_KEY = re.compile(r"(?:ctrl|control|shift|alt|cmd|meta|option|super|c)\+", re.IGNORECASE)


def is_memorable(value: str) -> bool:
    """Return whether a value is a password of one of the shapes that people choose."""
    return (
        is_chosen(value)
        or is_words_and_number(value)
        or is_word_with_digits(value)
        or is_marked(value)
    )


def is_marked(value: str) -> bool:
    """Return whether a value is a short password with a mark, as in `hunter2!` and `k!tty`."""
    if _MARK_LAST.match(value):
        return _may_be(value)
    return (
        bool(_MARK_INSIDE.match(value))
        and ("!" in value or has_digit(value))
        and not is_placeholder(value)
        and not is_plain(value)
        and not _LETTER_KEY.match(value)
        and not names_no_secret(re.split(r"\W", value, maxsplit=1)[0])
    )


def is_chosen(value: str) -> bool:
    """Return whether a value is a password that only people choose: `S3cret!`, `coral-7-lamp-9`."""
    value = value.rstrip("?")
    if not _may_be(value):
        return False
    inside = len(_INSIDE.findall(_TECHNICAL.sub("", value)))
    varied = bool(_SIGN.search(value)) and kinds(value) >= 4
    return inside >= 2 - varied or bool(_JOINED.match(value))


def is_words_and_number(value: str) -> bool:
    """Return whether a value is joined words with a number at the end, as in `zebra-lamp-41`."""
    return (
        bool(_SMALL.match(value))
        and _may_be(value)
        and not any(map(_is_about, _JOINT.split(value)))
    )


def _is_about(word: str) -> bool:
    """Return whether a word in a value with dashes shows that it names a part of a program."""
    return bool(_PROGRAM.match(word)) or (word not in _NATURAL and names_no_secret(word))


def is_issued(value: str) -> bool:
    """Return whether a value is a short token: random and mixed, or in groups with numbers."""
    if not _may_be(value) or "/" in value or ":" in value:
        return False
    mixed = kinds(_OTHER.sub("", value)) >= 3
    return bool(_GROUPS.match(value)) or (mixed and is_random(value))


def is_word_with_digits(value: str) -> bool:
    """Return whether a value is a word, digits and at most two letters, as in `mooncat60x`."""
    return (
        bool(_TAILED.match(value))
        and _may_be(value)
        and not _TECHNICAL.match(value)
        and not is_numbered(value)
        and not is_code(value)
    )


def _may_be(value: str) -> bool:
    first = _JOINT.split(value, maxsplit=1)[0]
    return (
        len(value) >= _LEAST
        and has_digit(value)
        and not is_placeholder(value)
        and not is_plain(value.rstrip("!"))
        and not _FILE.match(value)
        and not _TICKET.match(value)
        and not _DATE.search(value)
        and not names_no_secret(first)
    )
