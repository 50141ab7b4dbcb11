"""`git lerim reset`: delete the local state."""

import click

from git_lerim.actions.reset import reset
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import confirm, data, personal_option, say, verb, yes_option


@verb()
@click.option(
    "--branch",
    is_flag=True,
    help="Also delete the memory branch; a backup stays in refs/lerim/backup.",
)
@personal_option
@yes_option
def command(*, branch: bool, personal: bool, yes: bool) -> None:
    """Delete the local state (catalog, queue, cache, runs); asks first.

    The memories are kept; the next sync reads all sessions again.
    """
    ws = opened(personal=personal)
    name = ws.settings["branch"]
    what = (
        f"the local state and the branch {name}"
        if branch
        else "the local state (the memories are kept)"
    )
    confirm(f"delete {what} of {ws.place.common_dir}?", yes=yes)
    with ws.locked(10):
        kept = reset(ws, branch=branch)
    data(
        f"Deleted {what}"
        if kept or not branch
        else f"Deleted the local state; there was no branch {name}"
    )
    if kept:
        say(f"the memories are still in {kept}; to bring them back: git branch {name} {kept}")
