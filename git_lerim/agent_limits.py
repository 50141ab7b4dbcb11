"""Keep agents from weakening, by options or variables, the settings that restrict them.

Of all other settings, they change only harmless ones. The hooks and servers that agents start count
as run by an agent: some agents take variables from files of the project, such as `.gemini/.env`.
"""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from git_lerim import config, guarded
from git_lerim.config import Setting, Settings
from git_lerim.consent import data_home
from git_lerim.git.gitconfig import Entry
from git_lerim.screen.reader import is_agent

_MORE_IS_STRICT = ("redactPattern", "ignorePath")
_OFF = (*guarded.MODELS, "modelInBackground")  # what an agent may turn off
_HARMLESS = {"syncWindow", "maxSessions", "briefTokens", "promptTokens"}
_GUARDS = (*guarded.ORDERS, *guarded.MANY, *_MORE_IS_STRICT)
_COMMAND = "command"  # git's scope of `git -c` and of settings in variables


def trusted(env: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return the environment without variables by which an agent moves our data into a work tree.

    Anybody who can push to that project could have put files there, such as memories.
    """
    folder = Path(os.path.realpath(data_home(home, env)))
    owned = (home, *home.parents)
    is_theirs = is_agent(env) and any(
        os.path.lexists(above / ".git") and above not in owned for above in folder.parents
    )
    dropped = ("LERIM_HOME", "XDG_DATA_HOME") if is_theirs else ()
    return {name: value for name, value in env.items() if name not in dropped}


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
    configuration files set. They can turn a model off, and change what is harmless.
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
    held |= {
        name: setting
        for name, setting in in_files.settings.items()
        if name not in {*_GUARDS, *_HARMLESS}
        and given.settings[name].value != setting.value
        and (given.settings[name].value or name not in _OFF)
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
