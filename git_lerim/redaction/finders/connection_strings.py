"""Find passwords in URLs and in the connection strings of drivers."""

import re
from collections.abc import Iterator
from string import digits

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import is_beside
from git_lerim.redaction.value_shape import (
    is_made,
    is_masked,
    is_mixed,
    is_placeholder,
    is_random,
    is_worded,
    kinds,
)

_USERINFO = re.compile(
    r"://(?:([^\s:/@\"'<>\[\]{}()`$,;|]{0,100}):([^\s/\"'<>`\\|]{1,4000})@(?=[\w\[.-])|"
    r"([A-Za-z0-9_-]{12,200})@(?=\w))"
)
# `?key=X`, `&sig=X`
_QUERY = re.compile(
    r"[?&](?:[\w-]{0,30}[_-])?(?P<name>(?:api)?key|sig|signature|token)="
    r"(?P<value>[\w.~%+/-]{12,4000})",
    re.IGNORECASE,
)
_SIGNATURES = frozenset({"sig", "signature"})  # they open a presigned URL, also in hexadecimal
_JOINT = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9]")
_LONG, _MIXED = 16, 3  # characters of a token without a user, and kinds of these
# A password that contains a slash. A number before a slash is a port, and a path follows.
_WITH_SLASH = re.compile(
    r"://[^\s:/@\"'<>\[\]{}()`$,;|]{1,100}:(?!\d{1,5}/)([^\s/@\"'<>`\\|]{1,100}/"
    r"[^\s@\"'<>`\\|]{0,100})@(?=[\w-]+(?:\.[\w-]+)*(?:[:/\s.,;]|\Z))"
)
# A password of a database that contains slashes and perhaps `@`: the last `@` is before the host.
_OF_DATABASE = re.compile(
    r"://[^\s:/@\"'<>\[\]{}()`$,;|]{1,100}:(?!\d{1,5}/)([^\s/\"'<>`\\|?]{1,100}/"
    r"[^\s\"'<>`\\|?]{0,100})@(?=[\w-]+(?:\.[\w-]+)*(?:[:/\s.,;]|\Z))"
)
_DATABASE = re.compile(
    r"(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|oracle|"
    r"clickhouse)(?:\+\w{1,16})?\Z",
    re.IGNORECASE,
)
# "app:x@tcp(db:3306)/shop", as drivers of Go write it
_TO_SOCKET = re.compile(r"@(?:(?:tcp[46]?|unix)\(|\((?=[\w.-]{1,100}:\d))")
_USER_BEFORE = re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}:([^\s/\"'<>`\\|()]{1,100})\Z")
# "jdbc:oracle:thin:app/x@db", "sqlplus app/x@db"
_ORACLE = re.compile(
    r"(?:oracle:(?:thin|oci8?)[: ]|sqlplus\s(?:-\w{1,2}\s){0,3})[\"']?[\w.$#-]{1,60}/"
    r"(\\{0,8}\"[^\s\"\\]{1,100}|[^\s\"'<>`\\/]{1,100})(?=\\{0,8}\"?@)"
)
# "ann:x@ftp.example.org", "ann@example.org:x"
_TO_HOST = re.compile(
    r"@(?:\d{1,3}(?:\.\d{1,3}){3}|[a-z][\w-]*(?:\.[\w-]+)+|localhost\b)", re.IGNORECASE
)
# what stands before the id or the address of a mail
_NO_USER = re.compile(
    r"\d|(?:(?:c|m|msg|message-?)?id|references|in-reply-to|b?cc|to|from|reply-to|e?-?mail|mailto|"
    r"sip|xmpp|acct):",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"[\w-]*\.[\w.-]*\Z")
_OF_MAIL = re.compile(r"(?P<sign> / |:)[\"'`]?(?P<value>[^\s/\"'`<>()\\]{6,100})")
_WITH_YEAR = re.compile(r"[^\W\d_]{3,}(?:19|20)\d\d\Z")
_NAME = re.compile(r"[\w.-]+\Z")
_COPY = re.compile(r"(?:^|[`$;&|])[ \t]?(?:scp|rsync|sftp)\s[^\n]{0,160}\Z", re.MULTILINE)
# the next word of a name, as in "Sprint2026 board", and not of a sentence, as in "Winter2026 is"
_NEXT_OF_NAME = re.compile(
    r" (?!(?:and|or|is|was|works?|for|on|in|at|to|as|und|für|auf|y|et)\b)[^\W\d_]", re.IGNORECASE
)
_SHOWN = frozenset(
    {"password", "passwd", "pass", "pwd", "pw", "port", "x-oauth-basic", "p", "pswd", "passw0rd"}
)


def find_credentials(text: str) -> Iterator[Finding]:
    """Find passwords and tokens before the host of a URL or of a driver's connection string."""
    for found in _USERINFO.finditer(text):
        group = 2 if found[2] else 3
        if (group == 2 and not _is_shown(found[2])) or (
            group == 3 and not is_placeholder(found[3]) and _is_token(found[3])
        ):
            yield Finding(*found.span(group), "url-credentials")
    for given in _QUERY.finditer(text):
        value = given["value"]
        signed = given["name"].lower() in _SIGNATURES and len(value) >= 2 * _LONG
        made = is_mixed(_JOINT.sub("", value)) or (signed and is_made(value))
        if made and not is_placeholder(value):
            yield Finding(*given.span("value"), "url-credentials")
    yield from _with_slash(text)
    yield from _of_drivers(text)
    yield from _without_scheme(text)


def _is_token(value: str) -> bool:
    """Return whether a token, and not the name of a user, precedes the host of a URL."""
    if len(value) >= _LONG:
        return is_random(value) or kinds(value) >= _MIXED
    return is_mixed(value)


def _is_shown(value: str) -> bool:
    """Return whether a password is masked or only an example (`passwd`, `<x>`, `***`)."""
    if value[0] in "<${[%(":
        return is_placeholder(value)
    return value.lower() in _SHOWN or is_masked(value)


def _with_slash(text: str) -> Iterator[Finding]:
    for pattern in (_WITH_SLASH, _OF_DATABASE):
        for found in pattern.finditer(text):
            value = found[1]
            if (
                kinds(value) >= 3
                and not is_masked(value)
                and not is_placeholder(value)
                and (
                    pattern is _WITH_SLASH
                    or _DATABASE.search(text, max(0, found.start() - 40), found.start())
                )
            ):
                yield Finding(*found.span(1), "url-credentials")


def _is_chosen(value: str) -> bool:
    """Return whether a value is a password although no scheme precedes it: a mix, not a name."""
    return kinds(value) >= 3 and is_beside(value) and not _is_shown(value)


def _of_drivers(text: str) -> Iterator[Finding]:
    for host in _TO_SOCKET.finditer(text):
        user = _USER_BEFORE.search(text, max(0, host.start() - 166), host.start())
        if user and not _is_shown(user[1]):
            yield Finding(*user.span(1), "url-credentials")
    for found in _ORACLE.finditer(text) if "oracle:" in text or "sqlplus" in text else ():
        value = found[1].lstrip('\\"')
        if value and not _is_shown(value) and value.lower() != "tiger":
            yield Finding(found.end(1) - len(value), found.end(1), "url-credentials")


def _without_scheme(text: str) -> Iterator[Finding]:
    for host in _TO_HOST.finditer(text):
        start = max(0, host.start() - 166)
        if ":" in text[start : host.start()]:
            user = _USER_BEFORE.search(text, start, host.start())
            named = user and not (_NO_USER.match(user[0]) or _DOTTED.match(user[1]))
            if user and named and _is_chosen(user[1]):
                yield Finding(*user.span(1), "url-credentials")
        after = _OF_MAIL.match(text, host.end())
        if after and _is_chosen(after["value"]) and not _is_named(text, host, after):
            yield Finding(*after.span("value"), "url-credentials")


def _is_named(text: str, host: re.Match[str], after: re.Match[str]) -> bool:
    """Return whether words and a number are a folder or a name: `x@y.org:Backup2026/`."""
    value = after["value"]
    if not (_WITH_YEAR.match(value) or (_NAME.match(value) and is_worded(value.rstrip(digits)))):
        return False
    if text.startswith("/", after.end()):
        return True
    if after["sign"] == ":":
        return bool(_COPY.search(text, max(0, host.start() - 166), host.start()))
    return bool(_NEXT_OF_NAME.match(text, after.end()))
