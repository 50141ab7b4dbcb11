"""`git lerim config`: show every setting and where it comes from."""

from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.config import variable_of


@verb(paged=True)
@personal_option
@json_option
def command(*, personal: bool, as_json: bool) -> None:
    """Show every setting, its value, and where that comes from.

    git config lerim.NAME VALUE changes one.
    """
    ws = opened(personal=personal, fallback=True)
    settings = ws.settings.settings.values()
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
        )
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
    say(
        "git config lerim.NAME VALUE changes one for this repository; with --global, for all of"
        " yours"
    )
