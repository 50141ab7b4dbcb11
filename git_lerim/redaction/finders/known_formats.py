"""Find secrets by their format: SQL, cookies, JSON web keys, password files, PowerShell."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import is_secret
from git_lerim.redaction.value_shape import (
    has_digit,
    is_code,
    is_numbered,
    is_placeholder,
    is_random,
    is_worded,
    kinds,
)
from git_lerim.redaction.views.notation import line_end, matches_at

_Q = r"(?:\\{0,8}[\"'`])?"
_VALUE = r"(?P<value>(?:[^\s\"'`\\]|\\(?![\\\"'`nrt])){4,4000}+)"
_BARE = r"(?P<value>[^\s\"'`\\|]{4,4000})"
Judge = Callable[[str, str], bool]


def _as_password(_: str, value: str) -> bool:
    return is_secret("PASSWORD", value, quoted=True)


def _as_sql(_: str, value: str) -> bool:
    return kinds(value) >= 2 and is_secret("PASSWORD", value, quoted=True)


def _as_bare_password(_: str, value: str) -> bool:
    return is_secret("password", value, quoted=False)


def _by_own_name(name: str, value: str) -> bool:
    return is_secret(name.upper(), value, quoted=True)


def _as_random(_: str, value: str) -> bool:
    return is_random(value)


def _is_key_pair(_: str, value: str) -> bool:
    return is_random(value) and value.lower() != value


def _as_login(_: str, value: str) -> bool:
    return has_digit(value) and is_secret("password", value, quoted=True)


def _as_code(name: str, value: str) -> bool:
    """Judge a code. Only a community string, which people choose, may be a word and a number."""
    first = value.split(maxsplit=1)[0]
    version = name != "community string" and is_numbered(first)
    return kinds(first) >= 2 and has_digit(first) and not is_code(first) and not version


class _Format(NamedTuple):
    """A format of secrets: the words with which it begins, its rule, its pattern and a check."""

    words: tuple[str, ...]
    rule: str
    pattern: re.Pattern[str]  # matched at the word, in lower case
    judge: Judge


_FORMATS = tuple(
    _Format(words, rule, re.compile(pattern), judge)
    for words, rule, pattern, judge in (
        (
            ("identified",),
            "sql-password",
            (
                rf"identified(?:\s{{1,4}}with\s{{1,4}}[\w\"'`]{{1,60}})?\s{{1,4}}by"
                rf"(?:\s{{1,4}}password)?\s{{1,4}}{_Q}{_VALUE}"
            ),
            _as_sql,
        ),
        (
            ("password",),
            "sql-password",
            (
                rf"(?<![\w.])password(?:\s{{1,4}}(?=\\{{0,8}}[\"'])|\s?\(\s?|"
                rf"\s?=\s?(?=\\{{0,8}}')){_Q}{_VALUE}"
            ),
            _as_sql,
        ),
        (
            ("convertto-securestring",),
            "powershell",
            (
                rf"convertto-securestring(?:\s{{1,4}}-(?:string|asplaintext|"
                rf"force))*\s{{1,4}}{_Q}{_VALUE}"
            ),
            _as_password,
        ),
        (
            ("net user ",),
            "command",
            rf"net user\s{{1,4}}[\w.-]{{1,40}}\s{{1,4}}(?!/){_BARE}",
            _as_bare_password,
        ),
        (
            ("net use ",),
            "command",
            rf"net use\s{{1,4}}(?:[\w*]:\s{{1,4}})?\\\\\S{{1,200}}\s{{1,4}}(?!/){_BARE}",
            _as_bare_password,
        ),
        (  # login("ann", "x"), auth=("ann", "x")
            ("login(", "sign_in(", "authenticate(", "auth(", "auth=", "auth ="),
            "password",
            (
                r"\w+\s?=?\s?(?:\w{1,40}(?=\())?[(\[]\s{0,40}(?:\w{1,20}\s?[=:]\s?)?\\{0,8}[\"'`]"
                r"[^\s\"'`\\]{1,100}\\{0,8}[\"'`]\s?,\s{0,40}(?:\w{1,20}\s?[=:]\s?)?"
                rf"\\{{0,8}}[\"'`]{_VALUE}\\{{0,8}}[\"'`]"
            ),
            _as_login,
        ),
        (
            (
                "recovery code",
                "backup code",
                "otp seed",
                "2fa seed",
                "mfa seed",
                "community string",
            ),
            "code",
            (
                r"(?P<name>\w+ \w+?)s?(?: (?:is|are|was))?:?[ \t]{1,3}["
                r"\"'`]?(?P<value>[\w-]{6,80}(?:[ ,]{1,2}(?=[a-z-]{0,60}\d)[\w-]{6,80}){0,15})"
            ),
            _as_code,
        ),
        (
            ("requirepass ", "masterauth ", "bindpw ", "rootpw ", "auth "),
            "directive",
            rf"(?<![\w-][ \t])(?<![\w.(-])\w+[ \t]{{1,8}}(?:default[ \t])?{_Q}{_VALUE}",
            _as_bare_password,
        ),
        (
            (
                "env ",
                "arg ",
                "setx ",
                "set ",
                "define ",
            ),
            "assignment",
            (
                r"(?:set(?:(?<=\bconfig.set)|(?<=\bconfigure set)|(?<=\bsecret set)|"
                r"(?<=\bsecrets set)|(?=[ ]-))|(?:(?<![a-z])|"
                r"(?<=(?<![a-z])set))(?!set[ ])[a-z]+)(?:[ \t]-\w{1,3})?[ \t]{1,8}"
                r"(?P<name>[\w./:-]{2,80})["
                rf" \t]{{1,20}}{_Q}{_VALUE}"
            ),
            _by_own_name,
        ),
        (
            ("echo ", "printf "),
            "chpasswd",
            (
                r"[a-z]+[ ](?:-\w{1,3}["
                rf" \t])?(?:\\{{0,8}}[\"'])?[\w.-]{{1,40}}:{_BARE}\s?(?:\\{{0,8}}[\"'])?"
                r"\s{0,4}\|[^\n|]{0,40}\bchpasswd"
            ),
            _as_password,
        ),
        (
            ("chpasswd",),
            "chpasswd",
            (
                r"chpasswd\b[^\n]{0,40}<<(?:<[ \t]{0,4}(?:\\{0,8}[\"'])?|"
                r"-?\s?[\"'\\]{0,3}\w{1,20}[\"'\\]{0,3}\n[ \t]{0,20})"
                rf"[\w.-]{{1,40}}:{_BARE}"
            ),
            _as_password,
        ),
        (
            ("assword",),  # the prompt that an `expect` script waits for
            "command",
            (
                r"assword[^\n\"']{0,20}[\"'][^\"']{0,60}?\bsend(?:_?line)?[ (]\s?(?:-- )?"
                rf"(?:\\{{0,8}}[\"']){_VALUE}"
            ),
            _as_bare_password,
        ),
        (
            ("htpasswd -",),
            "command",
            rf"htpasswd\s(?:-\w{{1,6}}\s){{1,4}}\S{{1,100}}\s\S{{1,60}}\s{_Q}{_VALUE}",
            _as_bare_password,
        ),
        (
            ("akia", "asia"),
            "aws-secret-key",
            (
                r"\w{20}\b[^\n]{0,40}(?:\n[^\n]{0,60}?)?(?<![\w+/=])(?P<value>[a-z0-9+/]{40})"
                r"(?![\w+/=])"
            ),
            _is_key_pair,
        ),
        (
            ("azure", "devops", "azdo", "az ", " pat"),
            "azure-devops",
            r"[^\n]{0,120}?\b(?P<value>[a-z2-7]{52})\b",
            _as_random,
        ),
    )
)
_BY_WORD = [(word, form) for form in _FORMATS for word in form.words]
_PASSWORD_LINE = re.compile(
    r":(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:(?P<value>(?:\\[:\\]|"
    r"[^\s:\\\"'`]){4,200})(?=[\s\"'`\\]|\Z)"
)
_HOST = re.compile(
    r"(?:\A|[\s\"'`>])(?:[A-Za-z][\w.-]{0,100}|\d{1,3}(?:\.\d{1,3}){3}|\*|\[[0-9a-f:]{2,40}\])\Z"
)


def find_formats(text: str, low: str) -> Iterator[Finding]:
    """Find secrets by the format around them; `low` is the text in lower case."""
    for word, form in [pair for pair in _BY_WORD if pair[0] in low]:
        for hit in matches_at(low, word, form.pattern.match):
            start, end = hit.span("value")
            value = text[start:end]
            if not is_placeholder(value) and form.judge(hit.groupdict().get("name") or "", value):
                yield Finding(start, end, form.rule)
    for line in _PASSWORD_LINE.finditer(text):
        if _HOST.search(text, max(0, line.start() - 110), line.start()) and _as_bare_password(
            "", line["value"]
        ):
            yield Finding(*line.span("value"), "pgpass")
    yield from _cookies(text, low)
    yield from _web_keys(text)
    if "<RSAKeyValue>" in text:
        for part in _RSA_PART.finditer(text):
            if not is_worded(part["value"]):
                yield Finding(*part.span("value"), "private-key")


_COOKIE = re.compile(
    r"cookie2?\\{0,8}[\"']?[ \t]{0,2}[:=,][ \t]{0,2}\\{0,8}[\"']?(?P<cookies>[^\"'\n\\]{6,4000})"
)
_GIVEN = re.compile(
    r"[ \t](?:-b|--cookie)(?:[ \t]{1,2}|"
    r"=)(?:\\{0,8}[\"'])?(?P<cookies>[^\"'\n\\\s][^\"'\n\\]{6,4000})"
)
_PAIR = re.compile(r"(?:^|[;,]?\s?)[\w.!#$%&*+^`|~-]{1,80}=(?:s(?:%3A|:))?([^;,\s\"'\\]{8,4000})")


def _cookies(text: str, low: str) -> Iterator[Finding]:
    """Find random values of cookies, in headers and in arguments of curl."""
    for hit in matches_at(low, "cookie", _COOKIE.match):
        yield from _pairs(text, hit)
    at = low.find("curl ")
    while at >= 0:
        end = line_end(low, at)
        for hit in _GIVEN.finditer(low, at, end):
            yield from _pairs(text, hit)
        at = low.find("curl ", end)


def _pairs(text: str, hit: re.Match[str]) -> Iterator[Finding]:
    for pair in _PAIR.finditer(text, *hit.span("cookies")):
        if is_random(pair[1]) and not is_placeholder(pair[1]):
            yield Finding(*pair.span(1), "cookie")


_PRIVATE_PART = re.compile(
    r"\\{0,8}[\"'](?:d|p|q|dp|dq|qi|k)\\{0,8}[\"']\s{0,4}:\s{0,4}\\{0,8}[\"']([\w-]{16,1400})"
    r"\\{0,8}[\"']"
)
# the private parts of an RSAKeyValue
_RSA_PART = re.compile(
    r"<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,40}(?P<value>[A-Za-z0-9+/\s]{40,4000}={0,2})\s{0,40}</"
)
_WEB_KEY = 3000  # characters before and after `kty`


def _web_keys(text: str) -> Iterator[Finding]:
    """Find the private parts of JSON web keys."""
    at, done = text.find("kty"), 0
    while at >= 0:
        end = at + _WEB_KEY
        for part in _PRIVATE_PART.finditer(text, max(done, at - _WEB_KEY), end):
            if is_random(part[1]):
                yield Finding(*part.span(1), "web-key")
        done = end
        at = text.find("kty", max(at + 1, end - _WEB_KEY))
