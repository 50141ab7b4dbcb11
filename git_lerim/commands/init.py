"""`git lerim init`: create the memory, and say what comes next."""

from dataclasses import asdict

import click

from git_lerim.actions import setup
from git_lerim.actions.setup import Begun
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.commands.written import written_options
from git_lerim.errors import UsageError
from git_lerim.tokens import counted


@verb()
@click.option(
    "--tree",
    is_flag=True,
    help="Keep the memory in .lerim/memory/ of your own work tree, with all that the branch holds.",
)
@click.option(
    "--branch",
    is_flag=True,
    help="Keep it on its branch again, with all that .lerim/memory/ holds.",
)
@written_options
@personal_option
@json_option
def command(*, tree: bool, branch: bool, personal: bool, as_json: bool) -> None:
    """Make the memory branch, or take the remote's.

    Nothing else is touched; a second time does nothing. With --tree the memory becomes files in
    your own work tree, for teams that want it in their own pull requests.
    """
    if tree and branch:
        raise UsageError(
            "--tree and --branch exclude each other", hint="the memory lies in one place"
        )
    begun = setup.init(
        opened(personal=personal, making=True, tree=tree),
        "tree" if tree else "branch" if branch else None,
    )
    if as_json:
        data_json(_json(begun))
        return
    if begun.taken_from:
        data(f"{begun.branch} was taken from {begun.taken_from}")
    else:
        data(f"{begun.branch} was made" if begun.made else f"{begun.branch} is there already")
    if (moved := begun.moved) and (moved.added or moved.merged or moved.changed):
        there = "the branch" if begun.store == "tree" else ".lerim/memory"
        changed = f"{moved.changed} changed, " if moved.changed else ""
        data(f"{counted(moved.added, 'file')} came from {there}, {changed}{moved.merged} merged")
    for agent, count in begun.agents.items():
        data(f"{agent}: {counted(count, 'file')} of sessions")
    if not begun.agents:
        say("no agent's sessions were found; git lerim connect shows where was looked")
    for note in begun.notes:
        say(note)
    if begun.store == "tree":
        say(
            "next: git lerim sync --window all writes what it keeps into your work tree; --stage"
            " stages it, --commit commits it"
        )
    else:
        say(
            "next: git lerim sync --window all --dry-run shows what would be kept of every session;"
            " without --dry-run it is kept"
        )
    say("git lerim install lets git's and the agents' hooks do that from now on")


def _json(begun: Begun) -> dict[str, object]:
    return {
        "store": begun.store,
        "branch": begun.branch,
        "commit": begun.commit,
        "made": begun.made,
        "taken_from": begun.taken_from,
        "moved": asdict(begun.moved) if begun.moved else None,
        "agents": begun.agents,
    }
