"""`git lerim config`: show every setting and where it comes from."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from git_lerim.actions.setting_faults import UnknownSetting, unknown_settings
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.config import Setting, Settings, variable_of
from git_lerim.errors import UsageError

_OURS = "lerim."


@verb(paged=True)
@click.argument("words", nargs=-1, metavar="[NAME]")
@personal_option
@json_option
def command(*, words: tuple[str, ...], personal: bool, as_json: bool) -> None:
    """Show all settings, or the setting NAME: the value and where it comes from.

    To change one: git config lerim.NAME VALUE
    """
    if words[1:]:
        key = f"{_OURS}{words[0].removeprefix(_OURS)}"
        raise UsageError(
            "config only shows settings",
            hint=f"to change one: {shlex.join(['git', 'config', key, *words[1:]])}",
        )
    ws = opened(personal=personal, fallback=True)
    unknown = unknown_settings(ws.settings)
    if words:
        _print_one(ws.settings, unknown, words[0], as_json=as_json)
        return
    if as_json:
        data_json(_rows(ws.settings, unknown))
        _report_invalid(ws.settings)
        return
    for _, line in _lines(ws.settings, unknown):
        data(line)
    _report_invalid(ws.settings)
    say("to change a setting: git config lerim.NAME VALUE (add --global for all your repositories)")


def _print_one(
    settings: Settings, unknown: Sequence[UnknownSetting], name: str, *, as_json: bool
) -> None:
    wanted = f"{_OURS}{name.casefold().removeprefix(_OURS)}"
    lines = [line for key, line in _lines(settings, unknown) if key.casefold() == wanted]
    if not lines:
        raise UsageError(f"unknown setting {name!a}", hint="to list all settings: git lerim config")
    rows = [row for row in _rows(settings, unknown) if row["name"].casefold() == wanted]
    if as_json:
        data_json(rows)
    else:
        data("\n".join(lines))
    _report_invalid(settings)


def _rows(settings: Settings, unknown: Iterable[UnknownSetting]) -> list[dict[str, Any]]:
    return [
        {
            "name": f"{_OURS}{s.name}",
            "value": _without_query(s),
            "origin": s.origin,
            "environment": variable_of(s.name) if s.name in settings.settings else None,
        }
        for s in _known(settings)
    ] + [
        {"name": one.name, "unknown": True, "origin": one.origin, "near": one.near or None}
        for one in unknown
    ]


def _known(settings: Settings) -> Iterable[Setting]:
    return (*settings.settings.values(), *settings.paths.values())


def _lines(settings: Settings, unknown: Iterable[UnknownSetting]) -> Iterator[tuple[str, str]]:
    """Yield the name of each setting with the line that shows it."""
    for setting in _known(settings):
        value = _without_query(setting)
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, tuple):
            value = ", ".join(map(str, value))
        name = f"{_OURS}{setting.name}"
        yield name, f"{name:<26} {'' if value is None else value!s:<16} {setting.origin}"
    for one in unknown:
        suggestion = f"; {one.suggestion}" if one.suggestion else ""
        yield one.name, f"{one.name:<26} {'(unknown)':<16} {one.origin}{suggestion}"


def _without_query(setting: Setting) -> Any:
    """Return a setting's value; of a URL without its query, which may contain a key."""
    if setting.name == "apiBase" and "?" in str(setting.value):
        return f"{str(setting.value).partition('?')[0]}?…"
    return setting.value


def _report_invalid(settings: Settings) -> None:
    for error in settings.invalid:
        say(f"warning: {error}; {error.hint}")
