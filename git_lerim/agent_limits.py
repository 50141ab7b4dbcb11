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
from git_lerim.consent import data_home, holds_data, mark_used, used
from git_lerim.errors import Declined, NotARepository
from git_lerim.git import repo
from git_lerim.git.gitconfig import OURS, Entry
from git_lerim.git.running.process import plain
from git_lerim.screen.reader import is_agent

_MORE_IS_STRICT = ("redactPattern", "ignorePath")
_HIDING = (*_MORE_IS_STRICT, "redactAllow")  # what they leave out of a memory is lost
_OFF = (*guarded.MODELS, "modelInBackground")  # what an agent may turn off
_BUDGETS = {"budgetTokens": guarded.A_DAY, "budgetUsd": float("inf")}  # the most if none is set
_HARMLESS = {"syncWindow", "maxSessions"}
_COMMAND = "command"  # git's scope of `git -c` and of settings in variables


def trusted(env: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return the environment without variables by which an agent moves our data.

    It may move them only to a folder that a person has used, and not into a work tree: whoever can
    push to that project, or packed it, could have put files there, such as memories.
    """
    found = dict(env)
    for name in ("LERIM_HOME", "XDG_DATA_HOME") if is_agent(env) else ():
        folder = data_home(home, found)
        is_theirs = _in_work_tree(folder, home)
        if not found.get(name) or (not is_theirs and (_is_default(folder, home) or used(folder))):
            continue
        if is_theirs or name == "LERIM_HOME":
            del found[name]
        else:  # other data stay where XDG_DATA_HOME names them
            found["LERIM_HOME"] = str(data_home(home, {}))
    return found


def mark_home(home: Path, env: Mapping[str, str]) -> None:
    """Let agents use the folder that a variable names, if a person runs this command."""
    folder = data_home(home, env)
    if not is_agent(env) and not _is_default(folder, home):
        mark_used(folder)


def _in_work_tree(folder: Path, home: Path) -> bool:
    """Return whether a folder is in a work tree that is not around the user's home folder."""
    folder, own = Path(os.path.realpath(folder)), Path(os.path.realpath(home))
    return any(
        os.path.lexists(above / ".git") and not own.is_relative_to(above)
        for above in (folder, *folder.parents)
    )


def _is_default(folder: Path, home: Path) -> bool:
    return os.path.realpath(folder) == os.path.realpath(data_home(home, {}))


def repository(env: Mapping[str, str]) -> repo.Place:
    """Find the repository around the current folder, or that GIT_DIR names. Raises NotARepository.

    A git directory that is not named `.git` can stand unnoticed among the files of an unpacked
    archive, with memories as if the user had written them. Around the current folder, agents open
    none, and people only a bare one.
    """
    start = repo.here()
    place = repo.discover(start, env)
    git_dir = Path(os.path.realpath(place.git_dir))
    is_around = Path(os.path.realpath(start)).is_relative_to(git_dir)
    if env.get("GIT_DIR") or ".git" in git_dir.parts or not is_around:
        return place
    if place.bare and not is_agent(env):
        return place
    what = (
        "a bare repository, and an agent runs this command"
        if place.bare
        else "a git directory, although it is not named .git"
    )
    raise NotARepository(
        f"{plain(str(git_dir))} is {what}; it was not opened",
        hint="if you trust it, run: git --git-dir=PATH lerim VERB",
    )


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
    configuration files set. They can turn a model off, and change what is harmless. Invalid ones
    are ignored, except that an invalid guard counts as the strictest. `env` has the variables that
    `trusted` leaves out, too.
    """
    entries = list(entries)
    if not is_agent(env):
        return config.settings_from(entries, env, home, allows, lenient=lenient)
    files = [entry for entry in entries if entry.scope != _COMMAND]
    in_files = config.settings_from(files, {}, home, allows, lenient=lenient)
    given = config.settings_from(entries, env, home, allows, lenient=config.KEYS)
    keys = {entry.key.casefold() for entry in entries if entry.scope == _COMMAND}
    names = [
        name
        for name in config.KEYS
        if config.variable_of(name) in env or f"{OURS}{name}".casefold() in keys
    ]
    strict = [
        f"{error}; {guarded.fallback(error.name)}"
        for error in given.invalid
        if error.name in guarded.ORDERS and error.name in names
    ]
    return _limited(given, in_files, names, [*strict, *_ignored_home(Path(home), env)])


def forbids_work(env: Mapping[str, str], settings: Settings) -> bool:
    """Return whether hooks must write nothing, because a variable changes what would be written.

    It names another branch or store, which was ignored, or hides text that would be lost.
    """
    return bool(settings.narrowed) or any(
        env.get(config.variable_of(name), settings[name]) not in {"", settings[name]}
        for name in ("branch", "store")
    )


def _ignored_home(home: Path, env: Mapping[str, str]) -> list[str]:
    """Return a sentence if a variable names a folder of ours that is not used."""
    folder, is_ours = data_home(home, env), bool(env.get("LERIM_HOME"))
    if folder == data_home(home, trusted(env, home)) or not (is_ours or holds_data(folder)):
        return []
    name = "LERIM_HOME" if is_ours else "XDG_DATA_HOME"
    said = "no person has used git-lerim with that folder here, or it is in a work tree"
    return [f"an agent runs this command, so {name} was ignored: {said}"]


def refuse_ignored_home(home: Path, env: Mapping[str, str]) -> None:
    """Raise Declined if a variable names the personal memory's folder, and it is ignored.

    Otherwise an agent would write to a folder in which its user does not look.
    """
    if data_home(home, env) != data_home(home, trusted(env, home)):
        name = "LERIM_HOME" if env.get("LERIM_HOME") else "XDG_DATA_HOME"
        raise Declined(
            f"an agent runs this command, and no person has used the personal memory that {name}"
            " names, or it is in a work tree",
            hint="run git lerim init --personal yourself, in a terminal not started by an agent",
        )


def _limited(
    given: Settings, in_files: Settings, names: Iterable[str], said: Iterable[str]
) -> Settings:
    """Return the settings of the files with what an agent may change of those in `names`."""
    changed = {}
    for name in names:
        value = _permitted(name, given.settings[name].value, in_files.settings[name].value)
        if value != in_files.settings[name].value:
            changed[name] = replace(given.settings[name], value=value)
    settings = {**in_files.settings, **changed}
    ignored = [name for name in names if settings[name].value != given.settings[name].value]
    ignored += _differing(given.paths, in_files.paths)
    return replace(
        in_files,
        settings=settings,
        narrowed=tuple(name for name in _HIDING if name in changed),
        refused=(*in_files.refused, *([_sentence(ignored)] if ignored else []), *said),
    )


def _permitted(name: str, given: Any, held: Any) -> Any:
    """Return the value of a setting that an agent gave, or the one held if it may not."""
    if name in guarded.ORDERS:
        return max(given, held, key=guarded.ORDERS[name][0].index)
    if name in _MORE_IS_STRICT:
        return (*(value for value in given if value not in held), *held)
    if name in guarded.MANY:
        return tuple(value for value in given if value in held)
    return given if _may_set(name, given, held) else held


def _may_set(name: str, given: Any, held: Any) -> bool:
    if name == "agents":
        return given is not None and (held is None or {*given} <= {*held})
    if name in _BUDGETS:
        return given is not None and given <= (_BUDGETS[name] if held is None else held)
    return name in _HARMLESS or (name in _OFF and not given)


def _differing(given: Mapping[str, Setting], in_files: Mapping[str, Setting]) -> list[str]:
    """Return the names of the folder settings that the command line adds or changes."""
    return [folder.name for agent, folder in given.items() if folder != in_files.get(agent)]


def _sentence(names: Iterable[str]) -> str:
    said = ", ".join(f"lerim.{name}" for name in names)
    return (
        f"an agent runs this command, so {said} from the command line or the environment was"
        " ignored"
    )
