"""Parse the values of settings; each function raises a ValueError saying what it accepts."""

import re
from collections.abc import Callable
from datetime import timedelta

from git_lerim.agents import roster
from git_lerim.git.history import dates

# settings that only sync and maintain need; an invalid value does not stop other verbs
FOR_SYNC = frozenset({
    "archiveThreshold",
    "gracePeriodDays",
    "maintain",
    "maxConcurrency",
    "maxSessions",
    "maxWindowTokens",
    "staleGraceDays",
    "sync",
    "syncWindow",
    "windowOverlapTokens",
})  # fmt: skip


def duration(text: str) -> timedelta | None:
    """Parse a duration such as `7d`, `24h`, `30m`, `30s` or `2w`; return None for `all`.

    Raises ValueError.
    """
    if text == "all":
        return None
    seconds = dates.parse_duration(text)
    if seconds is None:
        raise ValueError("a duration such as 7d, 24h, 30m, 30s, or all")
    return timedelta(seconds=seconds)


def one_of(*words: str) -> Callable[[str], str]:
    """Return a parser that accepts only the given words, unchanged."""

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(" or ".join([", ".join(words[:-1]), words[-1]]))
        return text

    return parse


def count(text: str) -> int:
    """Parse a positive integer."""
    if not re.fullmatch(r"\d{1,9}", text) or int(text) == 0:
        raise ValueError("a whole number of at least 1")
    return int(text)


def share(text: str) -> float:
    """Parse a number from 0 to 1."""
    if not re.fullmatch(r"\d(\.\d+)?", text) or float(text) > 1:
        raise ValueError("a number from 0 to 1")
    return float(text)


def amount(text: str) -> float:
    """Parse a number that is at least 0."""
    if not re.fullmatch(r"\d+(\.\d+)?", text):
        raise ValueError("a number of at least 0")
    return float(text)


def boolean(text: str) -> bool:
    """Parse a boolean, in the words that git accepts."""
    low = text.lower()
    if low not in {"true", "yes", "on", "1", "false", "no", "off", "0"}:
        raise ValueError("true or false")
    return low in {"true", "yes", "on", "1"}


def temperature(text: str) -> float | None:
    """Parse the temperature of a model, from 0 to 2; return None for `none`."""
    if text == "none":
        return None
    if not re.fullmatch(r"[0-2](\.\d+)?", text) or float(text) > 2:
        raise ValueError("a number from 0 to 2, or none where the model takes no temperature")
    return float(text)


def window(text: str) -> str:
    """Return a text unchanged if it is a duration."""
    duration(text)
    return text


def branch(text: str) -> str:
    """Return a text unchanged if it is a valid name for the memory branch."""
    if (
        not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*", text)
        or ".." in text
        or text.endswith(".")
        or ".lock/" in f"{text}/"
        or text == "HEAD"
        or text.startswith("refs/")
    ):
        raise ValueError("the name of a branch, such as lerim/memory")
    return text


def remote(text: str) -> str:
    """Return a text unchanged if it is a valid name for a remote."""
    if not re.fullmatch(r"[A-Za-z0-9][\w./-]*", text) or ".." in text:
        raise ValueError("the name of a remote, such as origin")
    return text


def agents(text: str) -> tuple[str, ...]:
    """Parse names of agents, separated by commas."""
    names = tuple(name for name in re.split(r"[,\s]+", text) if name and name != "none")
    unknown = [name for name in names if name not in roster.AGENTS]
    if unknown:
        raise ValueError(f"names from {', '.join(roster.AGENTS)}, separated by commas, or none")
    return names


def pattern(text: str) -> str:
    """Return a text unchanged if it is a regular expression that can be used to redact."""
    # few have such a setting
    from git_lerim.redaction.user_patterns import compile_patterns  # noqa: PLC0415

    try:
        compile_patterns([text])
    except ValueError as error:
        raise ValueError(f"a Python regular expression ({error})") from None
    if not text:
        raise ValueError("a Python regular expression that matches something")
    return text


def variable(text: str) -> str:
    """Return a text unchanged if it is a valid name for an environment variable."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", text):
        raise ValueError(
            "the name of the environment variable that holds the key, never the key itself"
        )
    return text


def url(text: str) -> str:
    """Return a text unchanged if it is empty, or a URL without user and password."""
    if text and not (text.isprintable() and _URL.fullmatch(text)):
        raise ValueError("a URL such as https://api.example.org/v1, without user and password")
    return text


_URL = re.compile(r"https?://(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:/\S*)?")


# An absolute path of any system: `/x`, `C:\\x`, `\\\\host\\x`, `file:///x`; or a path's hash, if
# the agent stored nothing else. `_TOO_MUCH` matches roots and home folders, which are refused.
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\|file:///|sha256:[0-9a-f]{64}\Z")
_DOTTED = re.compile(r"(?:^|[\\/])\.{1,2}(?:[\\/]|$)")
_TOO_MUCH = re.compile(
    r"/*|[a-z]:|(?:[a-z]:)?/(?:home|Users|users|mnt)(?:/[^/]+)?|/root|//[^/]*(?:/[^/]*)?"
)


def place(text: str) -> str:
    """Return a text unchanged if it is an absolute path where a repository may be.

    The root and home folders are refused.
    """
    from git_lerim.sessions.scope import comparable  # noqa: PLC0415 few have such a setting

    if not _ABSOLUTE.match(text) or _DOTTED.search(text) or _TOO_MUCH.fullmatch(comparable(text)):
        raise ValueError(
            "the absolute path of a repository; the root and a home folder would take in everything"
        )
    return text


def adoptable(folder: str) -> bool:
    """Return whether lerim.repositoryPath would accept a folder in which a session ran.

    Its path may contain no control character, since a command that contains it is printed.
    """
    try:
        return folder.isprintable() and bool(place(folder))
    except ValueError:
        return False
