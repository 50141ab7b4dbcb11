"""Collect the user's own secrets from the environment and files, and find them in any form."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote, quote_plus, unquote, urlsplit

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.own_secrets.secret_sources import COMMITTED, SHORTEST, is_harmless
from git_lerim.redaction.value_shape import entropy, is_placeholder, is_worded

_SECRET_NAME = re.compile(
    r"pass|pwd|secret|token|api_?key|access_?key|private_?key|credential|auth|(?:^|_)(?:key|pat|"
    r"dsn|sas)$|_key(?:_|$)|cookie|salt",
    re.IGNORECASE,
)
_RANDOM = re.compile(r"(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w+/=.~-]{20,}\Z")
_IDENTIFIER = re.compile(
    r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|"
    r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|v?\d+(?:\.\d+)+\S*)\Z"
)
_ORDINARY = re.compile(
    r"[\d.,:+-]+\Z|[a-z]+(?:[-_ ][a-z]+){0,3}\Z|true|false|~?\.{0,2}/[\w./ -]*\Z|"
    r"[a-z]:\\[^\n]*\Z",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"^[ \t]*(?:export[ \t]+|set[ \t]+)?([\w.:/@*-]{1,200}?)[ \t]*[=:][ \t]*(\S.*)$",
    re.MULTILINE,
)
_NETRC = re.compile(r"\b(?:password|account)[ \t\n]+(\"[^\"\n]+\"|\S+)")
_NPM = re.compile(r":_(?:authToken|auth|password)[ \t]*=[ \t]*(\S+)")
_UNSPACED = re.compile(r"[^\s\"'<>]+")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]{0,30}://")
_JSON_AUTH = re.compile(r"\"(?:auth|identitytoken|password|token|secret)\"\s*:\s*\"([^\"]+)\"")


def is_ordinary(value: str) -> bool:
    """Return whether a value is too common to be a secret: a word, number, path or plain URL."""
    return (
        len(value) < SHORTEST
        or len(set(value)) < 4
        or bool(_ORDINARY.match(value))
        or bool(re.match(r"\w+://[^@]*\Z", value))
        or is_placeholder(value)
    )


def _in_address(value: str) -> Iterator[str]:
    for word in _UNSPACED.findall(value):
        scheme = _SCHEME.search(word)
        if scheme is None or "@" not in word:
            continue
        try:
            password = urlsplit(word[scheme.start() :]).password
        except ValueError:
            continue
        if password:
            yield from {password, unquote(password)}


def _from_variable(name: str, value: str, *, shared: bool = False) -> Iterator[str]:
    yield from _in_address(value)
    if "://" in value or is_harmless(name, value):
        return
    named = not shared and bool(_SECRET_NAME.search(name))
    if named or (
        _RANDOM.match(value)
        and not _IDENTIFIER.match(value)
        and not is_worded(value)
        and entropy(value) >= 3.5
    ):
        yield value


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return re.split(r"\s#", value)[0].strip()


def _from_file(name: str, text: str) -> Iterator[tuple[str, str]]:
    base, shared = name.replace("\\", "/").rsplit("/", 1)[-1], name.startswith(COMMITTED)
    if base in {".netrc", "_netrc"}:
        yield from ((name, _unquoted(found)) for found in _NETRC.findall(text))
    elif base == ".pgpass":
        yield from (
            (name, line.rsplit(":", 1)[-1]) for line in text.splitlines() if line.count(":") >= 4
        )
    elif base == ".npmrc":
        yield from ((name, _unquoted(found)) for found in _NPM.findall(text))
    elif base.endswith(".json"):
        yield from ((name, found) for found in _JSON_AUTH.findall(text))
    else:
        yield from ((name, found) for found in _in_address(text))
        for key, value in _ASSIGNED.findall(text):
            last, given = re.split(r"[:/]", key)[-1], _unquoted(value.rstrip(" \t"))
            yield from (
                (f"{name}:{last}", found)
                for found in _from_variable(last.lstrip("_"), given, shared=shared)
            )


def own_secrets(env: Mapping[str, str], files: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the name and value of each secret in the environment and in files.

    `files` are pairs of name and text. Values that are too common to be secret are left out.
    """
    found = [(name, value) for name, whole in env.items() for value in _from_variable(name, whole)]
    for name, text in files:
        found += _from_file(name, text)
    values: dict[str, str] = {}
    for name, value in found:
        for line in value.splitlines() if "PRIVATE KEY" in value else (value,):
            if not is_ordinary(line.strip()) and "PRIVATE KEY" not in line:
                values.setdefault(line.strip(), name)
    return [(name, value) for value, name in values.items()]


def forms(value: str) -> set[str]:
    """Return the forms in which a value may occur in a text: raw, in JSON, in a URL.

    JSON may be nested in JSON. Base64 is not among the forms: it is decoded instead.
    """
    escaped = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(form)[1:-1] for form in escaped}
    percent = {quote(value, safe=""), quote(value), quote_plus(value)}
    lower = {re.sub(r"%[0-9A-F]{2}", lambda hit: hit[0].lower(), form) for form in percent}
    return {
        value,
        value.encode("utf-8", "replace").decode("latin-1"),
        *escaped,
        *twice,
        *percent,
        *lower,
    }


def finder(own: Iterable[tuple[str, str]]) -> Callable[[str], list[Finding]]:
    """Return a function that finds the user's own secrets in a text, in any form."""
    wanted = sorted(
        {form for _, value in own if len(value) >= SHORTEST for form in forms(value)},
        key=len,
        reverse=True,
    )

    def find(text: str) -> list[Finding]:
        found = []
        for form in wanted:
            at = text.find(form)
            while at >= 0:
                found.append(Finding(at, at + len(form), "own-secret"))
                at = text.find(form, at + len(form))
        return found

    return find
