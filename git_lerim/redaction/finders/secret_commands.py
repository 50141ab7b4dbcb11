"""Find secrets that commands of well-known tools take: as arguments, options or input."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import (
    has_digit,
    is_code,
    is_made,
    is_placeholder,
    is_random,
)
from git_lerim.redaction.views.notation import line_end, matches_at

# A rare part of commands, and the commands that contain it with where each has its secret:
# "argument" is the word after the command and its options, "pairs" are NAME=SECRET, all others are
# options that the secret follows.
_TABLE: dict[str, dict[str, str]] = {
    "cargo ": {"cargo login": "argument"},
    "authtoken": {"ngrok authtoken": "argument", "ngrok config add-authtoken": "argument"},
    "vault ": {
        "vault login": "argument",
        "vault operator unseal": "argument",
        "vault kv put": "pairs",
        "vault kv patch": "pairs",
    },
    "secret": {
        "fly secrets set": "pairs",
        "flyctl secrets set": "pairs",
        "doppler secrets set": "pairs",
        "supabase secrets set": "pairs",
        "kubectl create secret": "pairs",
        "gh secret set": "--body -b",
        "az keyvault secret set": "--value",
        "aws secretsmanager": "--secret-string",
    },
    "put-parameter": {"aws ssm put-parameter": "--value"},
    "ssh-keygen": {"ssh-keygen": "-N -P"},
    "openssl ": {"openssl enc": "-k -K"},
}
_ENCRYPTED = {"aws ssm put-parameter": "SecureString"}  # other parameters are no secrets
_Q = r"(?:\\{0,8}[\"'])?"
_VALUE = r"(?P<value>[^\s\"'`\\<>|;&]{5,400}[^\s\"'`\\<>|;&.,:])"
_ARGUMENT = re.compile(
    rf"(?:[ \t]--?[\w-]{{0,30}}(?:[= ][\w.:/-]{{1,60}})?){{0,4}}[ \t]{{1,3}}{_Q}{_VALUE}"
)
_PAIR = re.compile(rf"[ \t]{_Q}[\w.-]{{1,60}}=(?:[\w.-]{{1,60}}=)?{_Q}{_VALUE}")


def _option(name: str) -> re.Pattern[str]:
    space = "[= \t]{1,3}" if name.startswith("--") else "[= \t]{0,3}"
    return re.compile(rf"(?<=[ \t]){name}{space}{_Q}{_VALUE}")


_OPTIONS = {
    name: _option(name)
    for commands in _TABLE.values()
    for ways in commands.values()
    for name in ways.split()
    if name[0] == "-"
}
# "passwd bob <<< X"
_INPUT = re.compile(
    r"(?<![\w-])(?:passwd|sudo|su|cryptsetup|kinit|login|secrets? (?:put|set|create|import))\b"
    r"[^\n|;&]{0,200}\Z"
)
_GIVEN = re.compile(rf"<<<[ \t]{{0,3}}{_Q}{_VALUE}")
# "echo X > ~/.vault-token"
_STORED = re.compile(
    rf"(?:echo|printf)[ \t](?:-\w{{1,3}}[ \t])?{_Q}{_VALUE}{_Q}[ \t]?>{{1,2}}[ \t]?"
    r"[^\s;|&]{0,100}?(?:token|secret|passw|passphrase|credential|api[_-]?key)"
)


def find_secret_commands(text: str, low: str) -> Iterator[Finding]:
    """Find secrets that commands take; `low` is the text in lower case."""
    for part, commands in _TABLE.items():
        if part in low:
            for command, ways in commands.items():
                yield from _given_to(text, low, command, ways)
    for given in matches_at(text, "<<<", _GIVEN.match) if "<<<" in text else ():
        line = max(text.rfind("\n", 0, given.start()) + 1, given.start() - 240)
        if _is_given(given["value"]) and _INPUT.search(low, line, given.start()):
            yield Finding(*given.span("value"), "command")
    for word in ("echo ", "printf ") if ">" in text else ():
        for stored in matches_at(text, word, _STORED.match):
            if _is_given(stored["value"]):
                yield Finding(*stored.span("value"), "command")


def _given_to(text: str, low: str, command: str, ways: str) -> Iterator[Finding]:
    at = low.find(command)
    while at >= 0:
        end = line_end(text, at)
        if _ENCRYPTED.get(command, "") in text[at:end]:
            yield from _in_command(text, at + len(command), end, ways)
        at = low.find(command, end)


def _in_command(text: str, start: int, end: int, ways: str) -> Iterator[Finding]:
    if ways == "argument":
        argument = _ARGUMENT.match(text, start, end)
        if argument and is_made(argument["value"]):
            yield Finding(*argument.span("value"), "command")
        return
    for pattern in [_PAIR] if ways == "pairs" else map(_OPTIONS.__getitem__, ways.split()):
        for given in pattern.finditer(text, start, end):
            if _is_given(given["value"]):
                yield Finding(*given.span("value"), "command")


def _is_given(value: str) -> bool:
    """Return whether a command may be given a value as a secret, and not a name or a path."""
    if value[0] in "$~/.@-" or is_placeholder(value) or is_code(value):
        return False
    return has_digit(value) or is_random(value)
