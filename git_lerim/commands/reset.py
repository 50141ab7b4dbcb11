"""`git lerim reset`: delete the local state."""

import click

from git_lerim.actions.reset import reset
from git_lerim.actions.sharing.review import own_branch
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import confirm, data, personal_option, say, verb, yes_option


@verb()
@click.option(
    "--branch",
    is_flag=True,
    help="Also delete the memory branch and your proposals; backups stay in refs/lerim/backup, and"
    " git lerim doctor --restore brings both back. Memories that a later sync does not find again"
    " may then count as shared by somebody under your name, until you accept them.",
)
@personal_option
@yes_option
def command(*, branch: bool, personal: bool, yes: bool) -> None:
    """Delete the local state (catalog, queue, cache, runs); asks first.

    The memories are kept; the next sync reads all sessions again.
    """
    ws = opened(personal=personal)
    name = ws.settings["branch"]
    pending = own_branch(ws) if branch and not ws.personal else None
    what = (
        f"the local state{',' if pending else ' and'} the branch {name}"
        f"{f' and your proposal {pending}' if pending else ''}"
        if branch
        else "the local state (the memories are kept)"
    )
    confirm(f"delete {what} of {ws.place.common_dir}?", yes=yes)
    with ws.locked(10):
        kept = reset(ws, branch=branch)
    data(
        f"Deleted {what}"
        if name in kept or not branch
        else f"Deleted the local state; there was no branch {name}"
    )
    for each, ref in kept.items():
        what = "the memories are" if each == name else f"your proposal {each} is"
        say(f"{what} still in {ref}")
    if kept:
        say("to bring them back: git lerim doctor --restore")
