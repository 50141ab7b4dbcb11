"""Recognise names of secrets in several languages, and check whether a value fits its name."""

import re
from enum import Enum
from functools import lru_cache

from git_lerim.redaction.keywords import FOREIGN_WORDS, PASSWORD_WORDS, SECRET_WORDS
from git_lerim.redaction.value_shape import (
    has_digit,
    is_code,
    is_numbered,
    is_passphrase,
    is_phrase,
    is_placeholder,
    is_plain,
    is_public,
    is_random,
    is_worded,
    kinds,
)


class Strength(Enum):
    """The kind of secret that a name suggests."""

    PASSWORD = "password"  # noqa: S105 - a word, not a secret
    SECRET = "secret"  # noqa: S105 - a word, not a secret
    TOKEN = "token"  # noqa: S105
    PIN = "pin"


# Words that make a following `key` secret: purposes, then issuers of keys.
_PURPOSES = """
api access secret private account license licence signing encryption encrypt master service
shared preshared deploy insert query auth app client consumer storage admin ssh webhook
developer user integration personal ingest write server device session jwt hmac aes crypto
subscription publishable fbconnect project team root security host cloud data activation
wallet decryption vault backup recovery sas sts rest unseal fernet bootstrap wifi wi-fi wlan
"""
_ISSUERS = """
airtable algolia amplitude anthropic azure braze claude clearbit cloudflare cohere datadog
deepl deepseek dynatrace elevenlabs facebook fastly gemini google grafana groq heroku
honeycomb hubspot intercom jina linkedin loggly mailchimp mailgun mandrill mapbox maps
meraki mistral mixpanel openai openrouter opsgenie ovh pagerduty perplexity pinecone plaid
postmark pusher replicate resend rollbar segment sendgrid sentry shodan snyk sonar stripe
supabase tavily together twilio twitter unsplash virustotal voyage
"""
_KEY_OF = tuple(f"{_PURPOSES} {_ISSUERS}".split())
_OTHER_KEYS = "public primary foreign cache sort partition idempotency group index lookup hash"
_NO_KEY_OF = tuple(_OTHER_KEYS.split())
_LOUD_KEY = re.compile(r"[A-Z0-9]_\Z")

_FOREIGN_PASSWORD, _FOREIGN = (
    "|".join(map(re.escape, words)) for words in (PASSWORD_WORDS, FOREIGN_WORDS)
)
_NAMED = re.compile(
    r"passw(?:or)?d?|pass[ _-]?phrase|pass[ _-]?code|pass(?![a-z])|ps?wd|(?<![a-z])pw(?![a-z])|"
    r"psk(?![a-z])"
    rf"|(?<![a-z])pat(?![a-z])|secret|token|credential|auth(?!or(?!i[sz]))|key|bearer|crumb|"
    rf"{_FOREIGN}",
    re.IGNORECASE,
)
_META = re.compile(
    r"(?:type|policy|policies|lengths?|len|count|counter|ttl|expir\w*|max|min|limits?|used|usage|"
    r"urls?|uri|endpoint|names?|files?|path|dir|folder|fields?|input|labels?|hint|headers?|prefix|"
    r"suffix|regex|patterns?|format|algo\w*|attempts|timeout|age|sizes?|required|enabled|disabled|"
    r"valid\w*|index|pos|position|kind|class|provider|store|manager|methods?|mode|version|status|"
    r"state|errors?|messages?|title|placeholder|prompt|description|reset|forgot\w*|changed?|"
    r"strength|rules?|reuse|remaining|left|frames?|group|space|sets?|maps?|list|params?|scopes?|"
    r"domain|source|src|refs?|arn|alias|location|callback|links?|page|route|button|text|icon|"
    r"color|style|row|column|sep\w*|delimiter|chars?|handlers?|func\w*|objects?|modules?|import|"
    r"stream|tree|parser|sink|keyboard|rates?|ratio|percent\w*|scores?|fail\w*|through|thru|"
    r"vocab\w*|budget|usages?|id_?file|thumbprint|fingerprint|hash\w*|digest)\Z|\A(?:iz\w+|is\w+|"
    r"words?|board\w*|down|up|press|stroke|chain|ring|or|ors|ority|orities|enti\w+|ored|oring|"
    r"orship|frame|less|ing|ed|able|pair|point|note)\Z|\Aid\Z",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:tokens?|keys?|secrets?|fields?|items?|parts?|users?|forms?|cases?|"
    r"levels?|steps?|phases?|tiers?|tests?|issues?|tickets?|tasks?|drafts?|based|protected|"
    r"auth\w*|sections?|chapters?|bcrypt|scrypt|nist|fips|rfc|iso|sha|aes|rsa|utf|cve|owasp|gpt|"
    r"claude|gemini|node|python|release|sprint|bug|fix|feature|tables?|pages?|lines?)\Z",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?:\A|[^a-z])(?:max|min|num|total|input|output|prompt|completion|cached?|n|read|write|"
    r"creation|used)[-_]?tokens|public|foreign[-_]?key|primary[-_]?key|by[-_]?pass|com[-_]?pass|"
    r"mini[-_]?pass|multi[-_]?pass",
    re.IGNORECASE,
)
PASSWORD = re.compile(
    r"pass(?:w|[ _-]?phrase|[ _-]?code|\b|_|$)|ps?wd|(?:pre-?shared|wi-?fi|wlan)[ _-]?key|"
    r"(?<![A-Za-z])pw(?![a-z])|psk(?![a-z])"
    rf"|{_FOREIGN_PASSWORD}",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"secret|(?:api|access|private|signing|account|license|encryption|master|storage|"
    r"consumer)[-_. ]?key|credential|" + "|".join(SECRET_WORDS),
    re.IGNORECASE,
)
_PIN = re.compile(r"(?:^|_|-|[a-z](?=P))pin(?:$|_|-)|passcode", re.IGNORECASE)
_PLURAL = re.compile(r"(?:tokens|secrets|keys|passwords|credentials)\Z", re.IGNORECASE)
_VERB = re.compile(r"pass\Z", re.IGNORECASE)  # also a word in prose and in test reports
JUDGED = 64  # characters of a value that are judged


def is_key_of(left: str) -> bool:
    """Return whether the text before `key`, such as `api` or `ACME_`, makes it name a secret."""
    small = left.rstrip("_-. ").lower()
    return small.endswith(_KEY_OF) or (
        bool(_LOUD_KEY.search(left)) and not small.endswith(_NO_KEY_OF)
    )


def names_no_secret(word: str) -> bool:
    """Return whether a word beside `password` is about it, not its value: `policy`, `reset`."""
    return bool(_ABOUT.match(word) or (not word.startswith("is") and _META.match(word)))


@lru_cache(maxsize=4096)
def strength(name: str) -> Strength | None:
    """Return the kind of secret that a name suggests, or None, as for `token_count`."""
    words = [
        word
        for word in _NAMED.finditer(name)
        if word[0].lower() != "key" or is_key_of(name[: word.start()])
    ]
    if _PIN.search(name) and not words:
        return Strength.PIN
    if not words or _AMOUNT.search(name):
        return None
    rest = name[words[-1].end() :].lstrip("sS").strip("-_.")
    if (
        rest
        and _META.search(rest)
        and not (rest.lower() == "id" and words[-1][0].lower() in {"key", "secret"})
    ):
        return None
    if PASSWORD.search(name):
        return Strength.PASSWORD
    return Strength.SECRET if _SECRET.search(name) else Strength.TOKEN


def is_secret(name: str, value: str, *, quoted: bool) -> bool:
    """Return whether a value is secret, judging by its name and its shape.

    The value may look less random if it is `quoted`, or if its name is in capitals.
    """
    kind = strength(name)
    value = value[:JUDGED]
    if kind is None or len(value) < 4 or is_placeholder(value):
        return False
    if value.isdecimal():
        least = {Strength.PIN: 4, Strength.PASSWORD: 5, Strength.SECRET: 8, Strength.TOKEN: 15}[
            kind
        ]
        return len(value) >= least and not _PLURAL.search(name)
    if " " in value:
        return quoted and kind in {Strength.PASSWORD, Strength.SECRET} and is_phrase(value)
    if is_plain(value) or (
        kind is Strength.TOKEN and len(value) < 16 and not quoted and not has_digit(value)
    ):
        return False
    if kind is Strength.PASSWORD:
        return _is_password(name, value, quoted=quoted)
    return (
        is_random(value)
        or (len(value) >= 6 and _is_varied(kind, value, quoted=quoted, loud=name.isupper()))
        or (not quoted and _is_exported(name, value))
    )


def _is_exported(name: str, value: str) -> bool:
    """Return whether a value is a token that a person chose: `API_TOKEN=mooncat66x`."""
    return (
        name.isupper()
        and name.endswith(("TOKEN", "PAT"))
        and len(value) >= 8
        and value.isalnum()
        and value[1:].islower()
        and has_digit(value)
        and not is_numbered(value)
    )


_MIXED = re.compile(r"(?=.{10})(?:.*#|[A-Za-z]*\d\w{3,}\Z)")


def _is_varied(kind: Strength, value: str, *, quoted: bool, loud: bool) -> bool:
    """Return whether a value is secret, although it is too short or too wordlike to be random."""
    variety = kinds(value)
    if (quoted or loud) and _is_chosen(value):
        return True
    if is_code(value):
        return quoted and loud and variety >= 3 and has_digit(value) and value.isupper()
    if kind is Strength.SECRET:
        return (
            variety >= 3
            or (loud and has_digit(value))
            or (variety == 2 and not is_worded(value))
            or (quoted and bool(_MIXED.match(value)))
        )
    return quoted and loud and variety >= 3


_WORDS_AND_NUMBER = re.compile(r"[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){1,5}[-_.]?\d{2,6}\Z")


def _is_chosen(value: str) -> bool:
    """Return whether a value is words with a number (`correct-horse-42`) and not a label."""
    return bool(_WORDS_AND_NUMBER.match(value)) and not LABEL.search(value)


LABEL = re.compile(
    r"pass(?:word|wd|phrase)?|secret|string|required|hidden|text|input|field|login|admin|invalid|"
    r"must|enter|confirm|current|forgot|optional|strong|weak|plain|sha|md5|bcrypt|scrypt|user|"
    r"null|none|prompt|field|key|config|default|change|error|account|value",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[-./_]")
_UNUSUAL = re.compile(r"[!$%^*?#@~]")
_SENTENCE = 3  # joints: a value with so many, such as dashes, is a name made of words
_PASSPHRASE = re.compile(r"(?=[^A-Z]*[A-Z])[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,})*[-_]\d{2,}\Z")
_LEAST = 6  # characters of a password without punctuation; `pwd` may be a folder


def _is_password(name: str, value: str, *, quoted: bool) -> bool:
    variety = kinds(value)
    loud = (quoted or name.isupper()) and not _VERB.match(name)
    if variety == 1:
        words = value.isalpha() and len(value) >= _LEAST and not LABEL.search(value)
        return words and value == value.lower() and (loud or not is_worded(value))
    many = len(_JOINT.findall(value)) >= _SENTENCE
    if is_code(value) and not (
        has_digit(value) and ((loud and not many) or _PASSPHRASE.match(value))
    ):
        return False
    if len(value) < _LEAST - (name.lower() != "pwd") and not _UNUSUAL.search(value):
        return False
    if loud:
        return (
            variety >= 3 or not is_worded(value) or (has_digit(value) and not _JOINT.search(value))
        )
    return (
        has_digit(value)
        or is_random(value)
        or (variety >= 3 and not is_worded(value))
        or bool(_UNUSUAL.search(value[:-1]))
    )


# A word and a year, as `Winter2026` is; words, two digits and a sign, as in `Blue-Otter-77!`.
_CHOSEN = re.compile(
    r"[^\W\d_]{3,}(?:19|20)\d\d\Z|"
    r"(?=[^a-zA-Z]*[a-zA-Z][^a-zA-Z]*[a-zA-Z])(?=\D*\d\D*\d)[\w.-]+[!$%^*?#@~&+]{1,3}\Z"
)


def is_beside(value: str) -> bool:
    """Return whether a value right after a word for a password, without a `=`, is a password."""
    if not has_digit(value) or is_placeholder(value):
        return False
    if _CHOSEN.match(value):
        return not is_plain(value.rstrip("!?"))
    return not is_code(value) and (is_random(value) or bool(_UNUSUAL.search(value[:-1])))


def is_said(value: str, *, word: bool, quoted: bool) -> bool:
    """Return whether a value that a sentence calls a secret really is one.

    `word` is true if the sentence calls it a password, and not a token or a secret.
    """
    if word and quoted and " " in value:
        return is_passphrase(value)
    if len(value) < 4 or " " in value or is_placeholder(value) or is_plain(value):
        return False
    if word and quoted and not LABEL.search(value):
        return has_digit(value) or (value.isalpha() and value.islower())
    return has_digit(value) and (
        (word and (kinds(value) >= 3 or not is_code(value)))
        or (
            not is_worded(value)
            and not is_public(value)
            and is_secret("secret", value, quoted=False)
        )
    )
