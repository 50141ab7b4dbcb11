"""Classify values: placeholder, code, word, or random."""

import re
from collections import Counter
from math import log2
from string import digits

_REFERENCE = re.compile(
    r"[$%#@]?\{|[$%#@]?\$?\(|\$\$?[A-Za-z_]\w*(?:$|[^\w$])|\$\$?[A-Z_]+$|<|&lt;|\[|%\w+%$|%[sdv(]|"
    r"#[a-z]+(?:-[a-z]+)*$|(?:process\.env|import\.meta|os\.(?:environ|getenv)|System\.getenv|"
    r"ENV\b|env\.|secrets?\.|var\.|data\.|local\.|self\.|this\.|config\.|settings\.|args\.|"
    r"options?\.|params?\.|request\.|req\.|props\.|vault:|op://|arn:|file:|fn::|!\w)|"
    r"0x[0-9a-fA-F]{1,8}\Z|[\w.-]+(?:\[[\w,-]*\])?[<>=~!]=\d",
)
# Every branch begins with a fixed character, which is several times faster.
_MASK = re.compile(r"\[REDACTED|redacted|xxxxx|XXXXX|\*\*\*|\.\.\.|…|•••|####|_____|~~~~~|\.\.\Z")
# Both are matched in lower case: ignoring case is ten times slower.
_MADE = re.compile(
    r"your|change[-_ ]?me|placeholder|dummy|goes[-_]?here|[-_ ]here[-_]?\d*$|put[-_]|insert[-_]|"
    r"replace[-_]|my[-_](?:secret|token|key|pass|api|password)|not[-_]set|0123456789|"
    r"\btest[-_](?:[a-z]+[-_])*(?:secret|password|token|key)"
)
_WORDED = re.compile(
    r"(?:an?|the|some|sample|example|test|invalid|wrong|bad|foo|bar|baz|old|new|dev|user|default|"
    r"null|nil|none|true|false|undefined|empty|todo|tbd|n/a)(?:[-_ ]?(?:secret|token|key|"
    r"api[-_]?key|pass|password|passwd|value|string|id|user|admin|example|bar|foo|name|[0-9]))*$|"
    r"(?:here|pass|password|passwd|secret|token|key|api[-_]?key|username|string|bearer|basic|"
    r"digest|negotiate|test)s?[0-9]{0,4}!?$|(?:abc|123)[a-z]*$|0?12345?6?7?8?9?0?$"
)
_DOCUMENTED = ("IOSFODNN7EXAMPLE", "EXAMPLEKEY", "CYEXAMPLE")
_SAME = "xX*.-_#0•?"
_JOINED = "-_.="


def is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder (`<your-key>`, `xxxx`, `${VAR}`) or an example."""
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
    """Return whether the text after a token's prefix is masked, or only an example."""
    bare = body.strip(_JOINED)
    return bool(
        _MASK.search(body)
        or body.endswith(_DOCUMENTED)
        or not body.strip(_SAME)
        or (bare[:1] == bare[-1:] and len(set(bare).difference(_JOINED)) <= 1)
    )


def entropy(value: str) -> float:
    """Return the Shannon entropy in bits per character."""
    total = len(value)
    return -sum(count / total * log2(count / total) for count in Counter(value).values())


_LOWER, _UPPER, _DIGIT, _OTHER = (
    re.compile(p) for p in ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9\s]")
)


def kinds(value: str) -> int:
    """Return how many kinds of characters a value has: lower case, upper case, digit, other."""
    return sum(bool(kind.search(value)) for kind in (_LOWER, _UPPER, _DIGIT, _OTHER))


def has_digit(value: str) -> bool:
    """Return whether a value contains an ASCII digit."""
    return bool(_DIGIT.search(value))


# The pairs of letters that make up nine tenths of the words in identifiers. In each group, the
# first letter forms a pair with each of the others.
_FOLLOWERS = (
    "abcdgilmnprstuv bael cacehiklortu dadeiou eacdefglmnpqrstvxy faefio gaer haeo"
    " iacdefglmnoprstvz ke laeiloty maeimops nacdefgiostv ocdklmnoprstuvw paeiloprtu qu"
    " racdegimorstvy sacehiopstuy taehiorstuy ubelmnprst vaei wio xt ynp za"
)
_PAIRS = frozenset(word[0] + after for word in _FOLLOWERS.split() for after in word[1:])
_PART = re.compile(r"[A-Za-z0-9]+")
_SEGMENT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBER = 8  # digits of a date or a number, which are ignored
_WORDS = 0.5  # 97 % of identifiers have a greater share, 97 % of random values a smaller one


def word_share(value: str) -> float:
    """Return the share of a value's letter pairs that are common in words, from 0 to 1.

    It is about 1 in identifiers, and below 0.5 in random values.
    """
    good = pairs = 0
    for part in _PART.findall(value):
        if not (part.isdecimal() and len(part) <= _NUMBER):
            pairs += len(part) - 1
            small = part.lower()
            for word in _SEGMENT.finditer(part):
                good += sum(
                    small[at : at + 2] in _PAIRS for at in range(word.start(), word.end() - 1)
                )
    return good / pairs if pairs else 1.0


def is_worded(value: str) -> bool:
    """Return whether a value looks like a name such as `some-file_name2`, and not random."""
    return word_share(value) >= _WORDS


_NUMBERED = re.compile(r"[A-Za-z]+\d{1,3}\Z")


def is_numbered(value: str) -> bool:
    """Return whether a value is a word and a number of up to three digits, such as `python3`."""
    return bool(_NUMBERED.match(value)) and is_worded(value.rstrip(digits))


_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_PLAIN = re.compile(
    # numbers, versions, dates, sizes
    r"v?\d+(?:[.,:/-]\d+)*(?:[a-z]{1,3}|%|-(?:alpha|beta|rc|dev|pre)[\w.-]*)?\Z"
    r"|\d+(?:[~-]\d+)?[^\W\d_a-z]\w*\Z|[a-z][\w+.-]{0,15}://[^@]*\Z|www\."
    r"|(?:refs|origin|feature|bugfix|fix|release)/"
    r"|(?:sha(?:1|256|384|512)|md5)[-:]"
    r"|(?:u?int|float|utf|sha|base|aes|rsa|ed|md|i|u|f|x)[-_]?\d{1,5}"
    r"(?:_t|-(?:gcm|cbc|ctr|xts)(?:-siv)?)?\Z"
    r"|(?:argon2(?:id|[di])?|pbkdf2|[bs]crypt)(?:-\d{1,3})?\Z",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"[~.]{0,2}/[\w@+-][\w./@+-]*\Z|[A-Za-z]:[\\/]|"
    r"[\w@.+-]+(?:/[\w@.+-]+)*\.[A-Za-z]{1,5}\d?(?::\d+){0,2}\Z"
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z")
_MEMBERS = 0.35  # lower for member names, which are short and contain digits
_TEMPLATE = re.compile(
    r"[$#]\{|\{\{|\$\(|%\([a-z]\w*\)[sd]|%[sdvq](?!\w)|\{[a-z_]\w*(?:\.\w+)*\}", re.IGNORECASE
)
_ACCESS = re.compile(
    r"[!&*@]{0,2}[A-Za-z_$][\w$]*(?:(?:[?!]{0,2}\.|::|->)[A-Za-z_$][\w$]*|\[[\w$.\"']*+\]?|"
    r"\(\)?)*[!?;,)]*\Z"
)
_TYPE = re.compile(
    r"[A-Z]?[a-z]*(?:[A-Z][a-z]+)*\d{1,5}(?:[A-Z][a-z]+)+\Z|[A-Z][a-z]+(?:8|16|32|64|128|256|384|"
    r"512|1024|2048|4096|25519)\Z"
)
_LETTERS = re.compile(r"[@#]?[^\W\d_]+(?:[-_/.:'&][^\W\d_]+)*[.:?!…]*\Z")
_NAME = re.compile(r"(?:[A-Za-z]+|\d{1,3})(?:[-_/:][A-Za-z]+|[-_/:]v?\d{1,3})+\Z|_[a-z_]+\Z")


def is_plain(value: str) -> bool:
    """Return whether a value is a number, version, date, URL, path, type or template."""
    return bool(
        _PLAIN.match(value)
        or _TYPE.match(value)
        or (_PATH.match(value) and is_worded(value))
        or (_DOTTED.match(value) and word_share(value) >= _MEMBERS)
        or _TEMPLATE.search(value)
    )


# Words in upper case and in lower case, mixed in one value: a passphrase, not a name.
_SHOUTED = re.compile(r"(?=.*\b[A-Z]{3,}\b)(?=.*\b[a-z]{3,}\b)[A-Za-z]+(?:-[A-Za-z]+){2,}\Z")


def is_code(value: str) -> bool:
    """Return whether a value is code or words, not a secret: an expression, a call, a name.

    Whatever `is_plain` accepts is also accepted.
    """
    value = value.strip("*_`~")
    if is_plain(value):
        return True
    if _SHOUTED.match(value):
        return False
    if _LETTERS.match(value):
        return not value.isascii() or is_worded(value)
    if _ACCESS.match(value):
        return is_worded(value) and (
            "." in value or "(" in value or "[" in value or ":" in value or "_" in value.strip("_")
        )
    return bool(_NAME.match(value)) and is_worded(value)


def is_random(value: str) -> bool:
    """Return whether a value looks random, as secrets made by a machine do."""
    if len(value) < 10 or not value.isascii() or " " in value:
        return False
    if value.isdecimal():
        return len(value) >= 15
    if _UUID.match(value):
        return True
    return len(set(value)) >= 6 and not is_worded(value) and not is_plain(value)


_HEX_KEY = re.compile(r"(?:0x)?[0-9a-fA-F]{32,}\Z")
# keys of SSH and age, and what identifies a key of OpenPGP
_PUBLIC = re.compile(r"AAAA[BCE]|age1|ssh-|(?:[0-9A-F]{16}|[0-9A-F]{40})\Z")
_CODED = re.compile(r"[\w+/=.~-]+\Z")
_GROUPS = re.compile(r"[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){2,}\Z")
_LONG, _VARIED, _MIXED = 20, 14, 3


def is_public(value: str) -> bool:
    """Return whether a value is a public key, or identifies one."""
    return bool(_PUBLIC.match(value))


def is_made(value: str) -> bool:
    """Return whether a value is shaped like no word, so that only a machine can have made it.

    That is a long number in hexadecimal, base32 or base64, or groups of characters with dashes.
    Public keys and their fingerprints are left out.
    """
    if not (has_digit(value) and _CODED.match(value)) or is_placeholder(value) or is_public(value):
        return False
    if _HEX_KEY.match(value):
        return len(set(value)) >= 6
    if not is_random(value):
        return False
    bare = "".join(_PART.findall(value))
    if _GROUPS.match(value):
        return sum(map(has_digit, value.split("-"))) >= 2
    least = _VARIED if kinds(bare) >= _MIXED or bare.isupper() else _LONG
    return len(bare) >= least


_LETTERS_MIXED = re.compile(r"(?=[A-Za-z]{0,99}[a-z][A-Z])[A-Za-z]{8,}\Z")
_ALL_MIXED = re.compile(r"(?=\D{0,99}\d)[A-Za-z0-9]{10,}\Z")
_WORDS_AND_DIGITS = re.compile(  # no run fits in two ways, which would take exponential time
    r"(?:[A-Z]?[a-z]{2,}(?![a-z])|[A-Z]{3,}(?:(?=[A-Z][a-z])|(?![A-Za-z]))|V(?=\d)|\d+(?!\d))+\Z"
)


def is_mixed(value: str) -> bool:
    """Return whether a value mixes letter cases, or letters and digits, as no name does."""
    if is_placeholder(value) or is_code(value):
        return False
    if _LETTERS_MIXED.match(value):
        return not is_worded(value)
    named = _WORDS_AND_DIGITS.match(value) and all(map(is_worded, _SEGMENT.findall(value)))
    return bool(_ALL_MIXED.match(value)) and kinds(value) >= _MIXED and not named


_TALK = re.compile(
    r"\b(?:the|an?|is|are|was|be|to|of|for|in|on|must|your|you|please|enter|invalid|incorrect|"
    r"wrong|not|no|and|or|with|this|that|can|cannot|should|will|at|password|passwords?|forgot|"
    r"reset|change|confirm|new|old|current|required|missing|expired|failed|error|sign|login|log|"
    r"user|key|token|secret|value|string|field|api)\b",
    re.IGNORECASE,
)


def is_phrase(value: str, fewest: int = 4) -> bool:
    """Return whether several words are a passphrase rather than a program's message."""
    words = value.split()
    if (
        len(words) > 8
        or _TALK.search(value)
        or value[-1] in ".:!?…"
        or "%" in value
        or "{" in value
    ):
        return False
    return (
        any(word.isupper() and len(word) > 1 for word in words)
        or any(char.isdigit() for char in value)
        or (len(words) >= fewest and value.islower())
    )


# what a sentence about a passphrase contains, beside the words of `_TALK`
_SENTENCE = re.compile(
    r"\b(?:\w+(?:ed|ing|ly)|kept|read|held|known|never|always|only|from|by|before|after|when|if|"
    r"until|than|then|has|have|into|per|one|same|it|its|all|every|each|both|which|who|what|where|"
    r"but|default|store|file|keychain|manager|ask|use|see|may|might|does|did|do|"
    # what it must be like, and where it is
    r"min|max|minimum|maximum|least|most|length|characters?|chars?|letters?|digits?|symbols?|words|"
    r"bits|bytes|days|hours|minutes|seconds|times|attempts|tries|hash|salt|database|variables?|env|"
    r"config|prompt|policy|input|forms?|page|options?|arguments?|optional|empty|blank|null|none)\b"
)
_BETWEEN = re.compile("[ -]")  # the words of a passphrase
_FEWEST = 4  # words of a passphrase


def is_passphrase(value: str, fewest: int = _FEWEST) -> bool:
    """Return whether several words are a passphrase, and not a sentence about one."""
    return (
        len(_BETWEEN.split(value)) >= fewest
        and value.islower()
        and is_phrase(_BETWEEN.sub(" ", value), fewest)
        and not _SENTENCE.search(value)
    )
