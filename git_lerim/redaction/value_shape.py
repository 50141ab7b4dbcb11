"""What a value looks like: a placeholder, code, a word, or something made at random."""

import re
from collections import Counter
from math import log2

_REFERENCE = re.compile(
    r"[$%#@]?\{|[$%#@]?\$?\(|\$\$?[A-Za-z_]\w*(?:$|[^\w$])|\$\$?[A-Z_]+$|<|&lt;|\[|%\w+%$|%[sdv(]|#[a-z]+(?:-[a-z]+)*$"
    r"|(?:process\.env|import\.meta|os\.(?:environ|getenv)|System\.getenv|ENV\b"
    r"|env\.|secrets?\.|var\.|data\.|local\.|self\.|this\.|config\.|settings\."
    r"|args\.|options?\.|params?\.|request\.|req\.|props\.|vault:|op://|arn:|file:|fn::|!\w)|0x[0-9a-fA-F]{1,8}\Z"
    r"|[\w.-]+(?:\[[\w,-]*\])?[<>=~!]=\d",
)
# Every branch begins with one character: such a pattern is searched several times faster.
_MASK = re.compile(r"\[REDACTED|redacted|xxxxx|XXXXX|\*\*\*|\.\.\.|…|•••|####|_____|~~~~~")
# Both are read in small letters: a pattern that ignores case is searched ten times slower.
_MADE = re.compile(
    r"your|change[-_ ]?me|placeholder|dummy|goes[-_]?here|-here$|_here$| here$|put[-_]|insert[-_]|replace[-_]"
    r"|my[-_](?:secret|token|key|pass|api|password)|not[-_]set"
)
_WORDED = re.compile(
    r"(?:an?|the|some|sample|example|test|invalid|wrong|bad|foo|bar|baz|old|new|dev|user|default|null|nil|none|true|false|undefined|empty|todo|tbd|n/a)"
    r"(?:[-_ ]?(?:secret|token|key|api[-_]?key|pass|password|passwd|value|string|id|user|admin|example|bar|foo|name|[0-9]))*$"
    r"|(?:here|pass|password|passwd|secret|token|key|api[-_]?key|username|string|bearer|basic|digest|negotiate)s?[0-9]?$"
    r"|(?:abc|123)[a-z]*$|0?12345?6?7?8?9?0?$"
)
_DOCUMENTED = ("IOSFODNN7EXAMPLE", "EXAMPLEKEY", "CYEXAMPLE")
_SAME = "xX*.-_#0•?"
_JOINED = "-_.="


def is_placeholder(value: str) -> bool:
    """Tell a stand-in (`<your-key>`, `xxxx`, `${VAR}`, `process.env.X`, a documented example) from a value."""
    small = value[:80].lower()
    return bool(
        not value.strip()
        or not value.strip(_SAME)
        or _REFERENCE.match(value)
        or _MASK.search(value)
        or _WORDED.match(small)
        or _MADE.search(small)
        or value.endswith(_DOCUMENTED)
    )


def is_masked(body: str) -> bool:
    """Tell the body of a prefixed token that somebody made up to show its form."""
    bare = body.strip(_JOINED)
    return bool(
        _MASK.search(body)
        or body.endswith(_DOCUMENTED)
        or not body.strip(_SAME)
        or (bare[:1] == bare[-1:] and len(set(bare).difference(_JOINED)) <= 1)
    )


def entropy(value: str) -> float:
    """Count the bits of Shannon entropy a character of the value carries."""
    total = len(value)
    return -sum(count / total * log2(count / total) for count in Counter(value).values())


_LOWER, _UPPER, _DIGIT, _OTHER = (re.compile(p) for p in ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9\s]"))
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ]{5}")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z|\d+(?:\.\d+)+\Z|v?\d+(?:\.\d+)+[-\w]*\Z")


def kinds(value: str) -> int:
    """Count the kinds of characters: small, capital, digit, other."""
    return sum(bool(kind.search(value)) for kind in (_LOWER, _UPPER, _DIGIT, _OTHER))


def has_digit(value: str) -> bool:
    """Say whether a digit is among the characters."""
    return bool(_DIGIT.search(value))


_JOINTS = str.maketrans("-_./:@", "      ")
_CAMEL = re.compile(r"[A-Z](?<=[a-z][A-Z])(?=[a-z])")
_WORDS = re.compile(r"(?: ++|[A-Za-z]{1,14}+(?![A-Za-z])|[0-9]{1,8}+(?![0-9]))*+\Z")
# Four groups of letters and digits in turn.
_TURNS = re.compile(r"[0-9](?:[A-Za-z]{1,14}[0-9]{1,8}[A-Za-z]|(?<=[A-Za-z][0-9])[0-9]{0,7}[A-Za-z]{1,14}[0-9])")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")


def is_worded(value: str) -> bool:
    """Tell names that people make (`some-file_name2`, `myValue`) from letters and digits at random."""
    words = value.translate(_JOINTS)
    if _CAMEL.search(words):
        words = _CAMEL.sub(r" \g<0>", words)
    return bool(_WORDS.match(words)) and not _CONSONANTS.search(words) and not _TURNS.search(words)


def is_random(value: str) -> bool:
    """Tell a value that a machine made from words, numbers, dotted names and paths."""
    if len(value) < 10 or " " in value or _DOTTED.match(value):
        return False
    if value.isdecimal():
        return len(value) >= 15
    if _UUID.match(value):
        return True
    if not _DIGIT.search(value):
        return len(value) >= 16 and (bool(_CONSONANTS.search(value)) or kinds(value) >= 3) and not is_worded(value)
    return len(set(value)) >= 6 and not is_worded(value)


_TALK = re.compile(
    r"\b(?:the|an?|is|are|was|be|to|of|for|in|on|must|your|you|please|enter|invalid|incorrect|wrong|not|no|and|or|with|this|that|can|cannot|should|will|at|password|"
    r"passwords?|forgot|reset|change|confirm|new|old|current|required|missing|expired|failed|error|sign|login|log|user|key|token|secret|value|string|field|api)\b",
    re.IGNORECASE,
)


def is_phrase(value: str) -> bool:
    """Tell a passphrase of words from a sentence that a program shows."""
    words = value.split()
    if len(words) > 8 or _TALK.search(value) or value[-1] in ".:!?…" or "%" in value or "{" in value:
        return False
    return (
        any(word.isupper() and len(word) > 1 for word in words)
        or any(char.isdigit() for char in value)
        or (len(words) >= 4 and value.islower())
    )
