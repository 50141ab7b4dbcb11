"""Settings that need the user's consent if a repository's own configuration sets them.

Such settings can read more data, send data elsewhere, run something or weaken a safeguard.
"""

import operator
import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

from git_lerim.agents import roster
from git_lerim.git import repo
from git_lerim.git.gitconfig import OURS, Entry
from git_lerim.setting_values import adoptable

Pairs = Iterable[tuple[str, str]]

USERS = {"system", "global", "command"}  # scopes that only the user controls
MODELS = ("model", "askModel", "fallbackModel", "embedModel")
REACHED = ("apiBase", "apiKeyEnv")  # the endpoint of a model, and the key for it
MANY = ("redactAllow",)
FORMER = "repositoryPath"  # asked about only if it exists, or is in a repository that does
PATHS = tuple(f"{agent}.path" for agent in roster.AGENTS)  # where sessions are read from
# The values of each setting from the laxest to the strictest, and its default.
ORDERS = {
    "trust": (("remote", "signed", "reviewed"), "remote"),
    "review": (("direct", "proposal"), "direct"),
    "sync": (("auto", "ask"), "auto"),
    "agentWrites": (("direct", "propose"), "direct"),
    "push": (("auto", "never"), "never"),
}
_STRICTEST = "the strictest value"
# How a value must compare with the user's own to need no consent: a budget must not be higher, a
# price not lower.
_LIMITS = {
    "budgetTokens": operator.le,
    "budgetUsd": operator.le,
    "priceIn": operator.ge,
    "priceOut": operator.ge,
}
_WINDOWS = ("maxWindowTokens", "windowOverlapTokens")  # how often a model reads the same text
A_DAY = 200_000  # tokens in the background, unless lerim.budgetTokens is set
_UNSET = {"budgetTokens": str(A_DAY)}  # the limits of what the user has not set
NAMES = (
    *MODELS,
    *REACHED,
    "modelInBackground",
    "agents",
    *MANY,
    FORMER,
    *PATHS,
    *ORDERS,
    *_LIMITS,
    *_WINDOWS,
)
_BY_KEY = {f"{OURS}{name}".casefold(): name for name in NAMES}


def name_of(key: str) -> str:
    """Return the name of a guarded setting, or an empty string for any other key."""
    return _BY_KEY.get(key.casefold(), "")


def left_out(
    entries: Iterable[Entry], counts: Callable[[str], bool], allows: Callable[[Pairs], bool]
) -> list[Entry]:
    """Return the entries that are ignored because the user has not allowed their values.

    `counts` returns whether a setting is in effect at all, because the environment may override it.
    `allows` returns whether the user has allowed the given settings with their values.
    """
    given = [entry for entry in entries if counts(name_of(entry.key))]
    former = [entry.value or "" for entry in given if name_of(entry.key) == FORMER]
    beyond = set(_beyond_what_is_gone(former))
    found = asking(e for e in given if name_of(e.key) != FORMER or (e.value or "") in beyond)
    return found if found and not allows(pairs(found)) else []


def counting(entries: Iterable[Entry], refused: Collection[Entry]) -> list[Entry]:
    """Return the entries in effect: those that were not refused.

    A refused token budget is replaced by the default one, so that there is a limit.
    """
    found = [entry for entry in entries if entry not in refused]
    is_set = {name_of(entry.key) for entry in found}
    return found + [
        replace(entry, value=_UNSET[name], origin="default until git lerim allow")
        for entry in refused
        if (name := name_of(entry.key)) in _UNSET and name not in is_set
    ]


def asking(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of a repository's own configuration that need the user's consent.

    An overridden entry needs none, and neither does one that is at least as strict as what it
    overrides.
    """
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        if name := name_of(entry.key):
            by_name.setdefault(name, []).append(entry)
    found = []
    for name, given in by_name.items():
        users = [entry.value or "" for entry in given if entry.scope in USERS]
        effective = given if name in (*MANY, FORMER) else given[-1:]
        theirs = [entry for entry in effective if entry.scope not in USERS]
        if any(not _is_strict(name, entry.value or "", users) for entry in theirs):
            found += [entry for entry in given if entry.scope not in USERS]
    return found


def pairs(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """Return entries as pairs of setting and value."""
    return [(f"{OURS}{name_of(entry.key)}", entry.value or "") for entry in entries]


def stricter(refused: Iterable[Entry], invalid: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return the values, with their origins, that result from refused and invalid settings.

    All models are off if an endpoint or a model is refused or invalid: otherwise, the remaining
    settings would send data to another place than configured. An invalid guard gets its strictest
    value.
    """
    reached = {*MODELS, *REACHED}
    bad = sorted(reached.intersection(invalid))
    why = (
        "not allowed"
        if reached & {name_of(entry.key) for entry in refused}
        else f"off, because lerim.{bad[0]} is invalid"
        if bad
        else ""
    )
    strictest = {name: (ORDERS[name][0][-1], _STRICTEST) for name in ORDERS if name in invalid}
    return strictest | (dict.fromkeys(MODELS, ("", why)) if why else {})


def fallback(name: str) -> str:
    """Describe what is used instead of the invalid value of a setting."""
    if name in REACHED:
        return "no model is asked"
    return f"{_STRICTEST if name in ORDERS else 'the default'} is used here"


def sentence(refused: Iterable[Entry]) -> str:
    """Return a sentence about ignored settings and how to allow them."""
    names = list(dict.fromkeys(name for name, _ in pairs(refused)))
    what = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return (
        f"{what} in this repository's own configuration {'is' if len(names) == 1 else 'are'} not"
        " used; to approve: git lerim allow"
    )


def needs_consent(path: str) -> bool:
    """Return whether a repository's own lerim.repositoryPath needs the user's consent.

    It does if the path exists or is inside an existing repository, or if only the path's digest is
    given, since that can stand for any path.
    """
    return adoptable(path) and (path.startswith("sha256:") or any(map(_is_taken, _here(path))))


def _beyond_what_is_gone(former: Iterable[str]) -> list[str]:
    """Return the former paths that need consent.

    A digest needs none if the path itself is listed, too, and nothing is there any more.
    """
    paths = list(filter(adoptable, former))
    if not (asked := [path for path in paths if needs_consent(path)]):
        return []
    from git_lerim.sessions.scope import digest_of  # noqa: PLC0415 few have such a setting

    gone = {digest_of(path) for path in paths if not any(map(os.path.lexists, _here(path)))}
    return [path for path in asked if path not in gone]


def _here(path: str) -> list[Path]:
    """Return the places on this machine that a Windows, WSL or Unix path may mean."""
    from git_lerim.sessions.scope import comparable  # noqa: PLC0415 few have such a setting

    spelled = {path, comparable(path)}
    spelled |= {f"/mnt/{each[0]}{each[2:]}" for each in spelled if each[1:3] == ":/"}  # in WSL
    return [Path(each) for each in spelled if Path(each).is_absolute()]


def _is_taken(path: Path) -> bool:
    around = (path, *path.parents)
    here = [each for each in around if os.path.isdir(each)]  # noqa: PTH112 raises no errors
    return here[:1] == [path] or (bool(here) and repo.toplevel_of(str(here[0])) is not None)


def _is_strict(name: str, value: str, users: list[str]) -> bool:
    """Return whether a value permits no more than the user's own setting or the default."""
    users_value = users[-1] if users else None
    if name not in MANY and value == users_value:
        return True
    if name in ORDERS:
        order, default = ORDERS[name]
        held = users_value if users_value in order else default
        return value in order and order.index(value) >= order.index(held)
    if name in _LIMITS:
        limit = _UNSET.get(name) if users_value is None else users_value
        return limit is None or _compared(name, value, limit)
    if name == "agents":
        return users_value is None or _names(value) <= _names(users_value)
    if name == "modelInBackground":
        return value in {"false", "no", "off", "0"}
    return name in MODELS and not value


def _compared(name: str, value: str, users_value: str) -> bool:
    try:
        return bool(_LIMITS[name](float(value), float(users_value)))
    except ValueError:
        return False


def _names(value: str) -> set[str]:
    return set(value.replace(",", " ").split()) - {"none"}
