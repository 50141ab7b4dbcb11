"""Settings that can send data away, run something or loosen a guard: from a repository's own
configuration they need consent.
"""

from collections.abc import Callable, Iterable

from git_lerim.git.gitconfig import OURS, Entry

Pairs = Iterable[tuple[str, str]]

USERS = {"system", "global", "command"}  # scopes that are the user's own word
MODELS = ("model", "askModel", "fallbackModel", "embedModel")
REACHED = ("apiBase", "apiKeyEnv")  # where a model is reached, and with whose key
MANY = ("redactAllow",)
NAMES = (*MODELS, *REACHED, "modelInBackground", "push", "redactAllow", "trust", "agentWrites")
TRUST = ("remote", "signed", "reviewed")  # from the laxest to the strictest
_BY_KEY = {f"{OURS}{name}".casefold(): name for name in NAMES}


def name_of(key: str) -> str:
    """Return the name of a guarded setting; empty for another key."""
    return _BY_KEY.get(key.casefold(), "")


def left_out(
    entries: Iterable[Entry], counts: Callable[[str], bool], allows: Callable[[Pairs], bool]
) -> list[Entry]:
    """Return the entries that do not count, because the user has not allowed them; `counts` tells
    of which settings any do.
    """
    found = asking(entry for entry in entries if counts(name_of(entry.key)))
    return found if found and not allows(pairs(found)) else []


def asking(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of a repository's own configuration that take effect and that only the
    user can allow.

    A value that is as strict as what it overrides, or stricter, needs nobody's consent.
    """
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        if name := name_of(entry.key):
            by_name.setdefault(name, []).append(entry)
    found = []
    for name, given in by_name.items():
        users = [entry.value or "" for entry in given if entry.scope in USERS]
        effective = given if name in MANY else given[-1:]
        theirs = [entry for entry in effective if entry.scope not in USERS]
        if any(not _is_strict(name, entry.value or "", users) for entry in theirs):
            found += [entry for entry in given if entry.scope not in USERS]
    return found


def pairs(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """Return setting and value of some entries."""
    return [(f"{OURS}{name_of(entry.key)}", entry.value or "") for entry in entries]


def models_off(refused: Iterable[Entry]) -> list[str]:
    """Return the settings of models that are off because others were left out: what is left would
    go to another place.
    """
    names = {name_of(entry.key) for entry in refused}
    return list(MODELS) if names & {*MODELS, *REACHED} else []


def sentence(refused: Iterable[Entry]) -> str:
    """Say which settings were left out, and how to allow them."""
    names = list(dict.fromkeys(name for name, _ in pairs(refused)))
    what = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return (
        f"{what} of this repository's own configuration {'is' if len(names) == 1 else 'are'} not"
        " used: git lerim allow asks"
    )


def _is_strict(name: str, value: str, users: list[str]) -> bool:
    users_value = users[-1] if users else None
    if name not in MANY and value == users_value:
        return True
    if name == "trust":
        return value in TRUST and TRUST.index(value) >= TRUST.index(
            users_value if users_value in TRUST else TRUST[0]
        )
    return value in {
        "push": ("never",),
        "agentWrites": ("propose",),
        "modelInBackground": ("false", "no", "off", "0"),
    }.get(name, ("",) if name in MODELS else ())
