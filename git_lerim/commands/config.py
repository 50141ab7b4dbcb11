"""`git lerim config`: show every setting and where it comes from."""

from collections.abc import Iterable

from git_lerim.actions.setting_faults import UnknownSetting, unknown_settings
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.config import Settings, variable_of


@verb(paged=True)
@personal_option
@json_option
def command(*, personal: bool, as_json: bool) -> None:
    """Show all settings, their values and where each comes from.

    To change one: git config lerim.NAME VALUE
    """
    ws = opened(personal=personal, fallback=True)
    unknown = unknown_settings(ws.settings)
    if as_json:
        _print_json(ws.settings, unknown)
        _report_invalid(ws.settings)
        return
    _print(ws.settings, unknown)
    _report_invalid(ws.settings)
    say("to change a setting: git config lerim.NAME VALUE (add --global for all your repositories)")


def _print_json(settings: Settings, unknown: Iterable[UnknownSetting]) -> None:
    data_json(
        [
            {
                "name": f"lerim.{s.name}",
                "value": s.value,
                "origin": s.origin,
                "environment": variable_of(s.name),
            }
            for s in settings.settings.values()
        ]
        + [
            {"name": one.name, "unknown": True, "origin": one.origin, "near": one.near or None}
            for one in unknown
        ]
    )


def _print(settings: Settings, unknown: Iterable[UnknownSetting]) -> None:
    for setting in settings.settings.values():
        value = (
            ", ".join(map(str, setting.value))
            if isinstance(setting.value, tuple)
            else str(setting.value).lower()
            if isinstance(setting.value, bool)
            else setting.value
        )
        data(
            f"{'lerim.' + setting.name:<26} {'' if value is None else value!s:<16} {setting.origin}"
        )
    for agent, path in settings.paths.items():
        data(f"{f'lerim.{agent}.path':<26} {path}")
    for one in unknown:
        suggestion = f"; {one.suggestion}" if one.suggestion else ""
        data(f"{one.name:<26} {'(unknown)':<16} {one.origin}{suggestion}")


def _report_invalid(settings: Settings) -> None:
    for error in settings.invalid:
        say(f"warning: {error}; {error.hint}")
