"""Passwords among the arguments of commands that take them in short options."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import is_placeholder

_COMMAND = re.compile(
    r"(?<![A-Za-z0-9])(curl|wget|docker|podman|nerdctl|mysql(?:dump|admin)?|mariadb|mongo(?:sh)?|sshpass|psexec|smbclient|rpcclient|redis-cli|helm|skopeo)(?:\.exe)?\s",
    re.IGNORECASE,
)
_OPTION = re.compile(r" (?:-[upU]|--user|--proxy-user)")
_LONGEST_COMMAND = 4000
_MANY = 32  # passwords on one command line: the rest goes unread
_USER = re.compile(r"(?<!\S)(?:-u|--user|--proxy-user|-U)[ =]{0,2}[\"']?([^\s:'\"`$<{(%|]{0,100})[:%]([^\s\"']{3,200})")
_DASH_P = re.compile(r"(?<!\S)-p[ \t]{0,2}([\"']?)([^\s\"'-][^\s\"']{3,100})\1(?=\s|$|[\"'])")
_TAKES_P = re.compile(r"docker|podman|mysql|mariadb|psexec|sshpass|mongo|nerdctl|helm|skopeo")
_LOGIN = re.compile(r"docker|podman|nerdctl|helm|skopeo")
_SHOWN = re.compile(r"\d{1,6}|(?:pass|password|token|secret)\S?")


def _commands(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each line with a short option stands whose command takes a password, and that command."""
    done = 0
    for option in _OPTION.finditer(text):
        if option.start() < done:
            continue
        start, floor = option.start(), max(done, option.start() - _LONGEST_COMMAND)
        while (line := text.rfind("\n", floor, start)) > 0 and text[line - 1] == "\\":
            start = line
        start = max(line + 1, floor)
        done, limit = option.end(), min(len(text), option.end() + _LONGEST_COMMAND)
        while (line := text.find("\n", done, limit)) >= 0 and text[line - 1] == "\\":
            done = line + 1
        done = line if line >= 0 else limit
        command = _COMMAND.search(text, start, done)
        if command:
            yield command.start(), done, command[1].lower()


def find_commands(text: str) -> Iterator[Finding]:
    """Find passwords among the arguments of commands that take them in short options."""
    for start, end, command in _commands(text):
        for count, found in enumerate(_USER.finditer(text, start, end)):
            if count >= _MANY:
                yield Finding(found.start(2), end, "command")
                break
            if not is_placeholder(found[2]) and not found[2].startswith(("$", "//")) and not _SHOWN.fullmatch(found[2]):
                yield Finding(*found.span(2), "command")
        if _TAKES_P.match(command) and (not _LOGIN.match(command) or "login" in text[start:end]):
            for count, found in enumerate(_DASH_P.finditer(text, start, end)):
                if count >= _MANY:
                    yield Finding(found.start(2), end, "command")
                    break
                if not is_placeholder(found[2]) and not re.match(r"\d{1,5}(?::\d+)*\Z|[./~]", found[2]):
                    yield Finding(*found.span(2), "command")
