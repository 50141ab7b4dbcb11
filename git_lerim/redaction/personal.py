"""Mask personal data: names of home folders, e-mail and IP addresses."""

import re
from collections.abc import Callable, Iterable
from pathlib import PurePath

_END = r"(?=[\s\"'`:;,)\]>]|\.?(?:\s|$))"  # what follows a whole path
_NAMED = 3  # parts of a path: a shorter one, such as /root or /app, names nobody

_HOME = re.compile(
    r"(?<![\w.~])/(?:home|Users)/(?!(?:runner|users?|ubuntu|root|node|app|git|vscode|shared|"
    r"public|guest|you|me|username|name)\b)[A-Za-z][\w.-]{1,31}(?=[/\\\s\"'`:;,)\]]|$)"
)
_WINDOWS_HOME = re.compile(
    r"\b[A-Za-z]:(\\{1,4}|/)Users(?:\\{1,4}|/)(?!(?:Public|Default|user|username|"
    r"runneradmin)\b)[\w.-]{2,32}(?=[\\/\s\"'`:;,)\]]|$)"
)
_MAIL = re.compile(
    r"\b((?:ping|e-?mail|mail|contact|ask|tell|cc|reach|notify|invite|write to) )(?!(?:no-?reply|"
    r"git|root|user|someone|info|support|admin)@)[\w.+-]{1,64}@(?!(?:[\w-]{1,63}\.)?example\.|"
    r"localhost)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}\b",
    re.IGNORECASE,
)
_REMOTE = ("ssh ", "scp ", "sftp ", "rsync ", "telnet ", "mosh ")
_HOST = re.compile(
    rf"\b((?:{'|'.join(_REMOTE)})(?:-\w \S{{1,40}} ){{0,3}}(?:[\w.-]{{1,32}}@)?)"
    r"(?!127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)"
    r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b"
)


# a line that speaks of another machine, on which the same path is another folder
_ELSEWHERE = re.compile(rf"\b(?:{'|'.join(_REMOTE)})|[\w.-]@[\w.-]+:")


def shortened(home: str, trees: Iterable[str]) -> Callable[[str], str]:
    """Return a function that makes paths relative to their work tree, and the user's home `~`.

    Lines with the address of another machine keep the paths of work trees.
    """
    named = sorted({each for each in trees if len(PurePath(each).parts) >= _NAMED}, key=len)
    roots = [each for each in reversed(named) if not PurePath(home).is_relative_to(each)]
    any_root = "|".join(map(re.escape, roots))
    in_tree = re.compile(
        rf"(?<![\w.~/:-])(?:{any_root})(?:([/\\])(?=[^\s\"'`:;,)\]>])|[/\\]?{_END})"
    )
    has_home = len(PurePath(home).parts) >= _NAMED
    at_home = re.compile(rf"(?<![\w.~]){re.escape(home)}(?=[/\\]|{_END})")

    def relative(line: str) -> str:
        if _ELSEWHERE.search(line):
            return line
        return in_tree.sub(lambda found: "" if found[1] else "./", line)

    def shorten(text: str) -> str:
        if any(root in text for root in roots):
            text = "\n".join(map(relative, text.split("\n")))
        return at_home.sub("~", text) if has_home and home in text else text

    return shorten


def mask(text: str) -> str:
    """Mask home folders with `~`, and addresses that follow words such as `contact` or `ssh`."""
    if "/home/" in text or "/Users/" in text:
        text = _HOME.sub("~", text)
    if "Users" in text:
        text = _WINDOWS_HOME.sub("~", text)
    if "@" in text:
        text = _MAIL.sub(r"\1[REDACTED:email]", text)
    if any(name in text for name in _REMOTE):
        text = _HOST.sub(r"\1[REDACTED:ipv4]", text)
    return text
