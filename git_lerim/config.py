"""Settings from `git config lerim.*`, overridden by `LERIM_*` variables."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from git_lerim import guarded
from git_lerim import setting_values as values
from git_lerim.agents import roster
from git_lerim.errors import BadSetting
from git_lerim.git.gitconfig import OURS, SIGNS, Entry

GIT = "as git commit"  # the value of lerim.sign if it follows commit.gpgsign


@dataclass(frozen=True, slots=True)
class _Key:
    name: str
    default: Any
    parse: Callable[[str], Any]
    many: bool = False


# All settings, in the order of the documentation; with `many`, every value counts
KEYS = {
    key.name: key
    for key in (
        _Key("store", "branch", values.one_of("branch", "tree")),
        _Key("review", "direct", values.one_of("direct", "proposal")),
        _Key("push", "never", values.one_of("never", "auto")),
        _Key("remote", "origin", values.remote),
        _Key("branch", "lerim/memory", values.branch),
        _Key("sign", "never", values.one_of("never", "push", "always")),
        _Key("sync", "auto", values.one_of("auto", "ask")),
        _Key("syncWindow", "7d", values.window),
        _Key("maxSessions", 50, values.count),
        _Key("agents", None, values.agents),
        _Key("repositoryPath", (), values.place, many=True),
        _Key("model", "", str),
        _Key("apiBase", "", values.url),
        _Key("apiKeyEnv", "OPENAI_API_KEY", values.variable),
        _Key("maxWindowTokens", 100_000, values.count),
        _Key("windowOverlapTokens", 1_000, values.count),
        _Key("maxConcurrency", 4, values.count),
        _Key("modelTimeout", 600, values.count),
        _Key("temperature", 0, values.temperature),
        _Key("budgetTokens", None, values.count),
        _Key("budgetUsd", None, values.amount),
        _Key("priceIn", None, values.amount),
        _Key("priceOut", None, values.amount),
        _Key("askModel", "", str),
        _Key("fallbackModel", "", str),
        _Key("traceCalls", default=False, parse=values.boolean),
        _Key("modelInBackground", default=False, parse=values.boolean),
        _Key("embedModel", "", str),
        _Key("decayPeriodDays", 180, values.count),
        _Key("confidenceFloor", 0.1, values.share),
        _Key("archiveThreshold", 0.2, values.share),
        _Key("gracePeriodDays", 30, values.count),
        _Key("staleGraceDays", 90, values.count),
        _Key("staleNotice", default=False, parse=values.boolean),
        _Key("maintain", "off", values.one_of("off", "auto")),
        _Key("briefTokens", 2_000, values.count),
        _Key("promptTokens", 400, values.count),
        _Key("fileNotes", "true", values.one_of("true", "false")),
        _Key("agentWrites", "direct", values.one_of("direct", "propose")),
        _Key("trust", "remote", values.one_of("remote", "signed", "reviewed")),
        _Key("redactPattern", (), values.pattern, many=True),
        _Key("redactAllow", (), values.pattern, many=True),
        _Key("ignorePath", (), str, many=True),
    )
}

_LOOPBACK = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/|$)")
# defaults of a model that runs on this machine
_ON_LOOPBACK = {"maxWindowTokens": 24_000, "maxConcurrency": 1}


@dataclass(frozen=True, slots=True)
class Setting:
    """The effective value of one setting, and where the value comes from."""

    name: str
    value: Any
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """All effective settings, with the values that are ignored, unknown or invalid."""

    settings: Mapping[str, Setting] = field(default_factory=dict)
    # agent → the folder of its sessions, set by `connect --path`
    paths: Mapping[str, Setting] = field(default_factory=dict)
    refused: tuple[str, ...] = ()  # sentences about ignored values
    # the repository's own values that the user has not allowed
    asking: tuple[tuple[str, str], ...] = ()
    unknown: tuple[Entry, ...] = ()  # entries of our section that are not settings
    invalid: tuple[BadSetting, ...] = ()  # invalid values that the default replaced
    faults: Mapping[str, BadSetting] = field(default_factory=dict)  # raised when used
    narrowed: tuple[str, ...] = ()  # by which an agent's options or variables hide text

    @property
    def answers_by(self) -> str:
        """The setting that names the model for questions, or an empty string if no model is set."""
        return next((name for name in ("askModel", "model") if self[name]), "")

    def __getitem__(self, name: str) -> Any:
        if name not in self.faults:
            return self.settings[name].value
        raise self.faults[name]


def settings_from(
    entries: Iterable[Entry],
    env: Mapping[str, str],
    home: str,
    allows: Callable[[guarded.Pairs], bool] = lambda _: True,
    *,
    lenient: Collection[str] = (),
) -> Settings:
    """Merge git's configuration entries and the environment into the effective settings.

    `allows` returns whether the user has consented to values of the repository's own configuration.
    An invalid value raises BadSetting, which names the key, its origin and the valid values; for a
    setting in FOR_SYNC, only when it is read. In `lenient`, the default or `stricter` counts.
    """
    invalid: dict[str, list[BadSetting]] = {name: [] for name in (*lenient, *values.FOR_SYNC)}
    entries = list(filter(_sets_something, entries))
    left_out = guarded.left_out(entries, lambda name: not _in_environment(name, env), allows)
    _check(left_out, invalid)
    counting = guarded.counting(entries, left_out)
    given = _all_given(counting, env)
    places = [(pair, _refusal(*pair, home)) for pair in given["repositoryPath"]]
    given["repositoryPath"] = [pair for pair, why in places if not why]
    found = {key.name: _effective(key, given[key.name], invalid) for key in KEYS.values()}
    if found["sign"].origin == "default":
        found |= _as_git_signs(counting)
    stricter = guarded.stricter(left_out, [name for name, errors in invalid.items() if errors])
    found |= {name: Setting(name, *given) for name, given in stricter.items()}
    found |= _of_loopback(found)
    said = [*(why for _, why in places if why), *([guarded.sentence(left_out)] if left_out else [])]
    return Settings(
        found,
        _folders(counting),
        refused=tuple(said),
        asking=tuple(guarded.pairs(left_out)),
        unknown=tuple(entry for entry in entries if _is_unknown(entry.key)),
        invalid=tuple(error for errors in invalid.values() for error in errors),
        faults={name: invalid[name][0] for name in values.FOR_SYNC - {*lenient} if invalid[name]},
    )


def _sets_something(entry: Entry) -> bool:
    """Return whether an entry can matter here; an empty lerim.apiBase overrides no other one."""
    is_endpoint = entry.key.casefold() == f"{OURS}apibase"
    return entry.key.startswith((OURS, SIGNS)) and (bool(entry.value) or not is_endpoint)


def _in_environment(name: str, env: Mapping[str, str]) -> bool:
    """Return whether a variable sets a setting: an empty one only empties a list or names no model.

    Git ignores its own empty variables, too.
    """
    key, variable = KEYS.get(name), variable_of(name)
    may_be_empty = name in guarded.MODELS or (key is not None and key.many)
    return variable in env and (bool(env[variable]) or may_be_empty)


def _check(left_out: Iterable[Entry], invalid: dict[str, list[BadSetting]]) -> None:
    """Check the values that the user has not allowed, too, so that mistakes in them show early."""
    for entry in left_out:
        key = KEYS.get(guarded.name_of(entry.key))
        if key is not None and key.name != "repositoryPath":
            _valid(key, [(entry.value or "", entry.origin)], invalid)


def _is_unknown(key: str) -> bool:
    known = (f"{OURS}{name}".lower() for name in (*KEYS, *guarded.PATHS))
    return key.startswith(OURS) and key not in known


def _folders(entries: Iterable[Entry]) -> dict[str, Setting]:
    """Map each agent to the setting that names the folder of the agent's sessions."""
    found = {}
    for entry in entries:
        _, agent, *last = entry.key.split(".")
        if agent in roster.AGENTS and [name.casefold() for name in last] == ["path"]:
            found[agent] = Setting(f"{agent}.path", entry.value or "", entry.origin)
    return found


def _of_loopback(found: Mapping[str, Setting]) -> dict[str, Setting]:
    """Return the settings that have a different default when the model runs on this machine."""
    if not _LOOPBACK.match(found["apiBase"].value):
        return {}
    return {
        name: Setting(name, value, "default on a loopback apiBase")
        for name, value in _ON_LOOPBACK.items()
        if found[name].origin == "default"
    }


def _as_git_signs(entries: Iterable[Entry]) -> dict[str, Setting]:
    """Return the default of lerim.sign: sign as git does if commit.gpgsign is on, else never."""
    for entry in reversed([entry for entry in entries if entry.key.casefold() == SIGNS]):
        is_on = entry.value is None or entry.value.casefold() not in {"", "false", "no", "off", "0"}
        return {"sign": Setting("sign", GIT if is_on else "never", f"{SIGNS}, {entry.origin}")}
    return {}


def _refusal(path: str, origin: str, home: str) -> str:
    """Return why a value of lerim.repositoryPath is ignored, or an empty string if it is used.

    A bad path is only reported, so that the other paths stay usable.
    """
    from git_lerim.sessions.scope import comparable  # noqa: PLC0415 few have such a setting

    ignored = f"lerim.repositoryPath has the value {path!r} ({origin}), which is ignored:"
    try:
        values.place(path)
    except ValueError as error:
        return f"{ignored} expected {error}"
    holds_home = f"{comparable(home)}/".startswith(f"{comparable(path)}/")
    return f"{ignored} it contains your home folder" if holds_home else ""


def _all_given(
    entries: Iterable[Entry], env: Mapping[str, str]
) -> dict[str, list[tuple[str, str]]]:
    """Map the name of each setting to its values, each with its origin."""
    by_key: dict[str, list[Entry]] = {}
    for entry in entries:
        by_key.setdefault(entry.key.casefold(), []).append(entry)
    return {
        key.name: _given(key, by_key.get(f"{OURS}{key.name}".casefold(), []), env)
        for key in KEYS.values()
    }


def _given(key: _Key, entries: list[Entry], env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return a setting's values with their origins: all if it is repeatable, else the last."""
    variable = variable_of(key.name)
    if _in_environment(key.name, env):
        values = [v for v in re.split(r"\n", env[variable]) if v] if key.many else [env[variable]]
        given = [(value, f"environment {variable}") for value in values]
    else:
        given = [(entry.value or "", entry.origin) for entry in entries]
    return given if key.many else given[-1:]  # an overridden value need not be valid


def _effective(
    key: _Key, given: list[tuple[str, str]], invalid: dict[str, list[BadSetting]]
) -> Setting:
    if not (parsed := _valid(key, given, invalid)):
        origin = f"default, instead of the value in {given[-1][1]}" if given else "default"
        return Setting(key.name, key.default, origin)
    if key.many:
        return Setting(key.name, tuple(value for value, _ in parsed), parsed[-1][1])
    return Setting(key.name, *parsed[-1])


def _valid(
    key: _Key, given: list[tuple[str, str]], invalid: dict[str, list[BadSetting]]
) -> list[tuple[Any, str]]:
    """Return the valid values with their origins; add an error to `invalid` for each bad one.

    If `invalid` has no list for the setting, the error is raised instead.
    """
    valid = []
    for value, origin in given:
        try:
            valid.append((_parsed(key, value, origin), origin))
        except BadSetting as error:
            if key.name not in invalid:
                raise
            invalid[key.name].append(error)
    return valid


def _parsed(key: _Key, value: str, origin: str) -> Any:
    try:
        return key.parse(value)
    except ValueError as error:
        hidden = key.parse in (values.variable, values.url)
        shown = "an invalid value" if hidden else f"the invalid value {value!r}"
        message = f"lerim.{key.name} has {shown} ({origin})"
        raise BadSetting(message, hint=f"expected {error}", name=key.name) from None


def variable_of(name: str) -> str:
    """Return the environment variable of a setting: `syncWindow` → `LERIM_SYNC_WINDOW`."""
    return "LERIM_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
