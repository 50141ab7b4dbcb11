"""Find secrets that commands of well-known tools take: as arguments, options or input."""

import re
from collections.abc import Iterator
from string import digits

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import is_beside
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
# "LOG_LEVEL=debug2": no secret, unless its value looks like one
_SETTING = re.compile(
    r"(?<![a-z])(?:level|mode|env|environment|stage|tier|plan|region|zone|host|hostname|port|name|"
    r"user|username|role|type|theme|locale|version|ttl|policy|bucket|branch|cluster)=[^=]*\Z",
    re.IGNORECASE,
)


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
# a file for secrets: "out/token.txt"
_FILE = r"[^\s;|&]{0,100}?(?:token|secret|passw|passphrase|credential|api[_-]?key)"
_BETWEEN = re.compile(r"[\n|;&]|<<<")  # what separates commands
_REACH = 240  # characters of a command before its input
# "passwd bob <<< X"
_READER = re.compile(
    r"(?<![\w-])(?:(?:(?:ht|ldap|mk|smb|vnc)?passwd|su|cryptsetup|kinit|login|"
    r"secrets? (?:put|set|create|import)|"
    r"sudo(?: -\S{1,40}(?: [^\s-]\S{0,40})?){0,6}? (?:-[a-zA-Z]*S|--stdin))\b|"
    rf"tee (?:-a )?{_FILE})"
)
_SUDO = re.compile(r"(?<![\w-])sudo\b")
_GIVEN = re.compile(rf"<<<[ \t]{{0,3}}{_Q}{_VALUE}")
# "build-2026-11-30"
_DATED = re.compile(r"(?:[a-z]+[-_.])*20\d\d-?[01]\d-?[0-3]\d(?:[-_.][a-z]+)*\Z")
# "echo X > ~/.vault-token"
_STORED = re.compile(
    rf"(?:echo|printf)[ \t](?:-\w{{1,3}}[ \t])?{_Q}{_VALUE}{_Q}[ \t]?>{{1,2}}[ \t]?{_FILE}"
)


def find_secret_commands(text: str, low: str) -> Iterator[Finding]:
    """Find secrets that commands take; `low` is the text in lower case."""
    for part, commands in _TABLE.items():
        if part in low:
            for command, ways in commands.items():
                yield from _given_to(text, low, command, ways)
    for given in matches_at(text, "<<<", _GIVEN.match) if "<<<" in text else ():
        before = text[max(0, given.start() - _REACH) : given.start()]
        if _is_given(given["value"]) and _reads(_BETWEEN.split(before)[-1], given["value"]):
            yield Finding(*given.span("value"), "command")
    for word in ("echo ", "printf ") if ">" in text else ():
        for stored in matches_at(text, word, _STORED.match):
            if _is_given(stored["value"]):
                yield Finding(*stored.span("value"), "command")


def _reads(command: str, value: str) -> bool:
    """Return whether a command reads a value from its input as a secret.

    Without `-S`, `sudo` leaves the input to the program that it runs.
    """
    return bool(_READER.search(command) or (_SUDO.search(command) and is_beside(value)))


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
            if _is_given(given["value"]) and not (ways == "pairs" and _is_setting(given)):
                yield Finding(*given.span("value"), "command")


def _is_setting(pair: re.Match[str]) -> bool:
    value = pair["value"]
    worded = value.rstrip(digits).isalpha() or not is_beside(value)
    return worded and bool(_SETTING.search(pair[0]))


def _is_given(value: str) -> bool:
    """Return whether a command may be given a value as a secret, and not a name or a path."""
    if value[0] in "$~/.@-" or is_placeholder(value) or is_code(value) or _DATED.match(value):
        return False
    return has_digit(value) or is_random(value)
