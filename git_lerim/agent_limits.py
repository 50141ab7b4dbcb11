"""Keep agents from weakening, by options or variables, the settings that restrict them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from git_lerim import config, guarded
from git_lerim.config import Setting, Settings
from git_lerim.git.gitconfig import Entry
from git_lerim.screen.reader import is_agent

_MORE_IS_STRICT = ("redactPattern", "ignorePath")
_GUARDS = (*guarded.ORDERS, *guarded.MANY, *_MORE_IS_STRICT)
_COMMAND = "command"  # git's scope of `git -c` and of settings in variables


def settings_from(
    entries: Iterable[Entry],
    env: Mapping[str, str],
    home: str,
    allows: Callable[[guarded.Pairs], bool],
    *,
    lenient: Collection[str] = (),
) -> Settings:
    """Return the effective settings, as `config.settings_from` does.

    If an agent runs the command, its options and variables cannot weaken a safeguard that the
    configuration files set.
    """
    entries = list(entries)
    given = config.settings_from(entries, env, home, allows, lenient=lenient)
    if not is_agent(env):
        return given
    files = [entry for entry in entries if entry.scope != _COMMAND]
    return _limited(given, config.settings_from(files, {}, home, allows, lenient=lenient))


def _limited(given: Settings, in_files: Settings) -> Settings:
    held = {
        name: replace(in_files.settings[name], value=value)
        for name in _GUARDS
        if (value := _strictest(name, given, in_files)) != given.settings[name].value
    }
    names = [*held, *_differing(given.paths, in_files.paths)]
    return replace(
        given,
        settings={**given.settings, **held},
        paths=in_files.paths,
        refused=(*given.refused, *([_sentence(names)] if names else [])),
    )


def _strictest(name: str, given: Settings, in_files: Settings) -> Any:
    one, other = given.settings[name].value, in_files.settings[name].value
    if name in guarded.ORDERS:
        return max(one, other, key=guarded.ORDERS[name][0].index)
    if name in _MORE_IS_STRICT:
        return (*one, *(value for value in other if value not in one))
    return tuple(value for value in one if value in other)


def _differing(given: Mapping[str, Setting], in_files: Mapping[str, Setting]) -> list[str]:
    """Return the names of the folder settings that the command line adds or changes."""
    return [folder.name for agent, folder in given.items() if folder != in_files.get(agent)]


def _sentence(names: Iterable[str]) -> str:
    said = ", ".join(f"lerim.{name}" for name in names)
    return (
        f"an agent runs this command, so {said} from the command line or the environment was"
        " ignored"
    )
