"""What a name promises about its value, and whether the value keeps it."""

import re
from enum import Enum
from functools import lru_cache

from git_lerim.redaction.value_shape import has_digit, is_phrase, is_placeholder, is_random, is_worded, kinds


class Strength(Enum):
    """How much a name promises that its value is secret."""

    PASSWORD = "password"  # noqa: S105 - a word, not a secret
    SECRET = "secret"  # noqa: S105 - a word, not a secret
    TOKEN = "token"  # noqa: S105
    PIN = "pin"


_KEY_OF = (
    *(
        "api",
        "access",
        "secret",
        "private",
        "account",
        "license",
        "licence",
        "signing",
        "encryption",
        "encrypt",
        "master",
        "service",
        "shared",
        "preshared",
    ),
    *(
        "deploy",
        "insert",
        "query",
        "auth",
        "app",
        "client",
        "consumer",
        "storage",
        "admin",
        "ssh",
        "webhook",
        "developer",
        "user",
        "integration",
    ),
    *(
        "personal",
        "ingest",
        "write",
        "server",
        "device",
        "session",
        "jwt",
        "hmac",
        "aes",
        "crypto",
        "subscription",
        "publishable",
        "fbconnect",
        "facebook.",
    ),
    *(
        "linkedin_",
        "twitter_",
        "stripe_",
        "openai_",
        "jina_",
        "project",
        "team",
        "root",
        "security",
        "host",
        "cloud",
        "data",
        "activation",
        "ovh",
        "meraki",
    ),
)
_KEY_LEFT = tuple(dict.fromkeys(word.rstrip("_.") for word in _KEY_OF))
_NAMED = re.compile(
    r"passw(?:or)?d?|passphrase|passcode|pass(?![a-z])|pwd|secret|token|credential|auth(?!or(?!i[sz]))|key|bearer|crumb",
    re.IGNORECASE,
)
_META = re.compile(
    r"(?:type|policy|policies|lengths?|len|count|counter|ttl|expir\w*|max|min|limits?|used|usage|urls?|uri|endpoint|names?|files?|path|dir|folder|fields?|input|labels?|hint"
    r"|headers?|prefix|suffix|regex|patterns?|format|algo\w*|attempts|timeout|age|sizes?|required|enabled|disabled|valid\w*|index|pos|position|kind|class|provider|store"
    r"|manager|methods?|mode|version|status|state|errors?|messages?|title|placeholder|prompt|description|reset|forgot\w*|changed?|strength|rules?|reuse|remaining|left"
    r"|frames?|group|space|sets?|maps?|list|params?|scopes?|domain|source|src|refs?|arn|alias|location|callback|links?|page|route|button|text|icon|color|style|row|column|sep\w*"
    r"|delimiter|chars?|handlers?|func\w*|objects?|modules?|import|stream|tree|parser|sink|keyboard)\Z"
    r"|\A(?:iz\w+|is\w+|words?|board\w*|down|up|press|stroke|chain|ring|or|ors|ority|orities|enti\w+|ored|oring|orship|frame|less|ing|ed|able|pair|point|note)\Z"
    r"|\Aid\Z",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?:\A|[^a-z])(?:max|min|num|total|input|output|prompt|completion|cached?|n|read|write|creation|used)[-_]?tokens|public|foreign[-_]?key|primary[-_]?key",
    re.IGNORECASE,
)
PASSWORD = re.compile(r"pass(?:w|phrase|code|\b|_|$)|pwd", re.IGNORECASE)
_SECRET = re.compile(
    r"secret|(?:api|access|private|signing|account|license|encryption|master|storage|consumer)[-_. ]?key|credential",
    re.IGNORECASE,
)
_PIN = re.compile(r"(?:^|_|-|[a-z](?=P))pin(?:$|_|-)|passcode", re.IGNORECASE)
_PLURAL = re.compile(r"(?:tokens|secrets|keys|passwords|credentials)\Z", re.IGNORECASE)
JUDGED = 64  # characters of a value that are looked at


def is_key_of(left: str) -> bool:
    """Say whether what stands before `key` makes it a secret one."""
    return left.rstrip("_-. ").endswith(_KEY_LEFT)


@lru_cache(maxsize=4096)
def strength(name: str) -> Strength | None:
    """Say how secret the value of a name is by its name alone; None for a name that only speaks about secrets."""
    words = [word for word in _NAMED.finditer(name) if word[0].lower() != "key" or is_key_of(name[: word.start()].lower())]
    if _PIN.search(name) and not words:
        return Strength.PIN
    if not words or _AMOUNT.search(name):
        return None
    rest = name[words[-1].end() :].lstrip("s").strip("-_.")
    if rest and _META.search(rest) and not (rest.lower() == "id" and words[-1][0].lower() in {"key", "secret"}):
        return None
    if PASSWORD.search(name):
        return Strength.PASSWORD
    return Strength.SECRET if _SECRET.search(name) else Strength.TOKEN


def is_secret(name: str, value: str, *, quoted: bool) -> bool:
    """Judge a value by the name it was given and by its own look."""
    kind = strength(name)
    value = value[:JUDGED]
    if (
        kind is None
        or len(value) < 4
        or (kind is Strength.TOKEN and len(value) < 16 and not quoted and not has_digit(value))
        or is_placeholder(value)
    ):
        return False
    if value.isdecimal():
        least = {Strength.PIN: 4, Strength.PASSWORD: 5, Strength.SECRET: 8, Strength.TOKEN: 15}[kind]
        return len(value) >= least and not _PLURAL.search(name)
    if " " in value:
        return quoted and kind in {Strength.PASSWORD, Strength.SECRET} and is_phrase(value)
    if kind is Strength.PASSWORD:
        return _is_password(name, value, quoted=quoted)
    return is_random(value) or (len(value) >= 6 and _is_varied(kind, value, quoted=quoted, loud=name.isupper()))


_MIXED = re.compile(r"(?=.{10})(?:.*#|[A-Za-z]*\d\w{3,}\Z)")


def _is_varied(kind: Strength, value: str, *, quoted: bool, loud: bool) -> bool:
    variety = kinds(value)
    if kind is Strength.SECRET:
        return variety >= 3 or (variety == 2 and not is_worded(value)) or (quoted and bool(_MIXED.match(value)))
    return quoted and loud and variety >= 3


_CODE = re.compile(  # names, calls and paths
    r"[a-z_]+(?:_[a-z]+)*\d?\Z|[a-z]+(?:[A-Z][a-z]+)+\d?\Z|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\Z|/[\w./-]*\Z|[A-Z][a-z]+\Z|[A-Z_]+\Z"
)
LABEL = re.compile(
    r"pass(?:word|wd|phrase)?|secret|string|required|hidden|text|input|field|login|admin|invalid|must|enter|confirm|current|forgot"
    r"|optional|strong|weak|plain|sha|md5|bcrypt|scrypt|user|null|none|prompt|field|key|config|default|change|error|account|value",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[-./_]")
_UNUSUAL = re.compile(r"[!$%^*?#@~]")


def _is_password(name: str, value: str, *, quoted: bool) -> bool:
    variety = kinds(value)
    if variety == 1:
        return (
            value.isalpha()
            and len(value) >= 6
            and not LABEL.search(value)
            and (quoted or name.isupper())
            and value == value.lower()
        )
    if quoted or name.isupper():
        return variety >= 3 or not is_worded(value) or (has_digit(value) and not _JOINT.search(value))
    return (has_digit(value) or variety >= 3 or bool(_UNUSUAL.search(value))) and not _CODE.match(value)


def is_said(value: str, *, word: bool, quoted: bool) -> bool:
    """Judge a value that prose calls a password, a token or a secret."""
    if len(value) < 4 or " " in value or is_placeholder(value):
        return False
    if word and quoted and not LABEL.search(value):
        return True
    return has_digit(value) and (
        (word and kinds(value) >= 3) or (not is_worded(value) and is_secret("secret", value, quoted=False))
    )
