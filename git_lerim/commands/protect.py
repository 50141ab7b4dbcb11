"""`git lerim protect`: keep memories from being changed automatically."""

import click

from git_lerim.actions import edit_memory
from git_lerim.commands.ids import id_argument
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)
from git_lerim.commands.written import print_changed, propose_option, written_options


@verb()
@id_argument("ids", "ID...", nargs=-1, required=True)
@click.option("--off", is_flag=True, help="Remove the protection.")
@propose_option
@written_options
@personal_option
@json_option
def command(*, ids: tuple[str, ...], off: bool, personal: bool, as_json: bool) -> None:
    """Protect memories from being archived, merged or changed by sync."""
    ws = opened(personal=personal)
    changed = edit_memory.protect(ws, ids, on=not off)
    if as_json:
        data_json(
            {
                "ids": [memory.id for memory in changed.memories],
                "protected": not off,
                "commit": changed.commit,
            }
        )
        return
    print_changed(ws, changed.memories)
    if changed.commit is None:
        say(f"nothing changed: already {'unprotected' if off else 'protected'}")
