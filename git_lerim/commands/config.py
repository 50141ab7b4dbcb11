"""`git lerim config`: show every setting and where it comes from."""

from git_lerim.actions.setting_faults import unknown_settings
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
    settings = ws.settings.settings.values()
    unknown = unknown_settings(ws.settings)
    if as_json:
        data_json(
            [
                {
                    "name": f"lerim.{s.name}",
                    "value": s.value,
                    "origin": s.origin,
                    "environment": variable_of(s.name),
                }
                for s in settings
            ]
            + [
                {"name": one.name, "unknown": True, "origin": one.origin, "near": one.near or None}
                for one in unknown
            ]
        )
        _report_invalid(ws.settings)
        return
    for setting in settings:
        value = (
            ", ".join(map(str, setting.value))
            if isinstance(setting.value, tuple)
            else setting.value
        )
        data(
            f"{'lerim.' + setting.name:<26} {'' if value is None else value!s:<16} {setting.origin}"
        )
    for agent, path in ws.settings.paths.items():
        data(f"{f'lerim.{agent}.path':<26} {path}")
    for one in unknown:
        suggestion = f"; {one.suggestion}" if one.suggestion else ""
        data(f"{one.name:<26} {'(unknown)':<16} {one.origin}{suggestion}")
    _report_invalid(ws.settings)
    say("to change a setting: git config lerim.NAME VALUE (add --global for all your repositories)")


def _report_invalid(settings: Settings) -> None:
    for error in settings.invalid:
        say(f"warning: {error}; {error.hint}")
