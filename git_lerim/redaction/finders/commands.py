"""Find passwords in the arguments of commands."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import is_placeholder, is_plain
from git_lerim.redaction.views.notation import matches_at

# The commands, with their options that take a password; with a star, the value needs no space.
_TABLE: dict[str, str] = {
    "curl wget": "",
    "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump": "p*",
    "mongo mongosh mongodump mongorestore sshpass psexec cqlsh influx twine": "p*",
    "docker podman nerdctl helm skopeo acr oc cf": "p",
    "az": "p -key",
    "useradd usermod adduser": "p",
    "7z 7za 7zr 7zz rar unrar": "p* hp*",
    "zip unzip zipcloak": "P* qP* rP* eP* qrP* erP* rqP*",
    "sqlcmd bcp osql ipmitool mosquitto_pub mosquitto_sub rpcclient smbclient": "P*",
    "redis-cli valkey-cli keydb-cli redis-benchmark": "a*",
    "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn": "w*",
    "ldappasswd": "w* s a",
    "snmpget snmpwalk snmpset": "A X",
    "kinit keytool": "",
}
_OPTIONS = {name: options.split() for names, options in _TABLE.items() for name in names.split()}
_COMMAND = re.compile(
    rf"(?<![A-Za-z0-9_-])({'|'.join(sorted(map(re.escape, _OPTIONS), key=len, reverse=True))})"
    rf"(?:\.exe)?\s"
)
_OPTION = re.compile(r"-(?<=[ \"']-)(?:[upUPawsAX]|hp|[qre]{1,2}P|-key|-user|-proxy-user)")
_LONGEST_COMMAND = 4000
_MANY = 32  # passwords per command line; the rest of it is blanked as one
_Q = r"(?:\\{0,8}[\"'])?"
_VALUE = r"(?P<value>(?:[^\s\"'`\\]|\\(?![\\\"'`nrt])){4,4000}+)"
_USER = re.compile(
    r"(?<!\S)(?:-u|--user|--proxy-user|-U)["
    rf" =]{{0,2}}{_Q}(?:[^\s:'\"`$<{{(%|\\]{{0,100}}{_Q}[:%]{_Q}([^\s\"'\\]{{3,4000}})"
    r"|([^\s:'\"`$<{(|\\]{6,100}):(?=[\"'\s\\]|$))"  # a key in place of the user's name
)
_LOGIN = re.compile(r"docker|podman|nerdctl|helm|skopeo|az|acr|oc|cf", re.IGNORECASE)
_SHOWN = re.compile(r"\d{1,6}|(?:pass|password|token|secret)\S?")
_NO_PASSWORD = re.compile(r"\d{1,5}(?::\d+)*(?:/\w+)?\Z|[./~-]|\$")


def _valued(option: str) -> re.Pattern[str]:
    space = r"[ \t]{0,2}" if option.endswith("*") else r"(?:[ \t]{1,2}|=)"
    return re.compile(rf"(?<!\S){_Q}-{option.rstrip('*')}{space}{_Q}{_VALUE}(?=[\s\"'\\|;&]|$)")


_VALUED = {option: _valued(option) for options in _OPTIONS.values() for option in options}
_PIPED = re.compile(
    rf"\b(?:echo|printf)[ \t](?:-\w{{1,3}}[ \t])?{_Q}(?P<value>[^\s\"'\\|]{{6,4000}}+){_Q}[ \t]?\|["
    r" \t]?[^\n|]{0,120}?(?:--password-stdin|--with-token|--stdin\b|sudo[ \t]-S|passphrase-fd|"
    r"[ \t]secrets?[ \t](?:set|put|create|versions)|devops[ \t]login)"
)


def _commands(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    """Yield each command that may have a password option: start, end of its line, and name."""
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
        met: set[str] = set()
        for command in _COMMAND.finditer(low, start, done):
            name = command[1]
            if name not in met:
                met.add(name)
                yield command.start(), done, name


def _is_password(value: str) -> bool:
    return not (
        is_placeholder(value)
        or is_plain(value)
        or _NO_PASSWORD.match(value)
        or _SHOWN.fullmatch(value)
    )


def _passwords(text: str, start: int, end: int, command: str) -> Iterator[tuple[int, int]]:
    for found in _USER.finditer(text, start, end):
        group = 1 if found[1] else 2
        value = found[group]
        if (
            not is_placeholder(value)
            and not value.startswith(("$", "//"))
            and not _SHOWN.fullmatch(value)
        ):
            yield found.span(group)
    if not _LOGIN.fullmatch(command) or "login" in text[start:end]:
        for option in _OPTIONS[command]:
            for found in _VALUED[option].finditer(text, start, end):
                if _is_password(found["value"]):
                    yield found.span("value")


def find_commands(text: str, low: str) -> Iterator[Finding]:
    """Find passwords in commands: in their short options, and piped into them."""
    for start, end, command in _commands(text, low):
        for count, (first, last) in enumerate(_passwords(text, start, end, command)):
            if count >= _MANY:
                yield Finding(first, end, "command")
                break
            yield Finding(first, last, "command")
    for word in ("echo", "printf"):
        for piped in matches_at(text, word, _PIPED.match):
            if _is_password(piped["value"]):
                yield Finding(*piped.span("value"), "command")
