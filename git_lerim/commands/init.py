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
    help="Store the memory in .lerim/memory/ of your work tree; copies the branch's memories.",
)
@click.option(
    "--branch",
    is_flag=True,
    help="Store the memory on its branch again; copies the memories from .lerim/memory/.",
)
@written_options
@personal_option
@json_option
def command(*, tree: bool, branch: bool, personal: bool, as_json: bool) -> None:
    """Create the memory branch, from the remote's memory branch if there is one.

    Touches nothing else, and is safe to run again. With --tree, the memory is stored as files in
    your work tree, for teams that want to review it in pull requests. Only a person can pass --tree
    or --branch, not an agent.
    """
    if tree and branch:
        raise UsageError(
            "--tree and --branch cannot be combined", hint="the memory is stored in one place only"
        )
    ws = opened(personal=personal, making=True, tree=tree)
    begun = setup.init(ws, "tree" if tree else "branch" if branch else None)
    if as_json:
        data_json(_json(begun))
        return
    _print(begun)
    for note in begun.notes:
        say(note)
    _say_next(begun.store, ws.settings["model"])


def _print(begun: Begun) -> None:
    what = "folder" if begun.store == "tree" else "branch"
    source = f" from {begun.taken_from}" if begun.taken_from else ""
    data(
        f"Created {what} {begun.branch}{source}"
        if begun.made
        else f"{what.capitalize()} {begun.branch} exists already"
    )
    if (moved := begun.moved) and (moved.added or moved.merged or moved.changed):
        there = "the branch" if begun.store == "tree" else ".lerim/memory"
        changed = f"{moved.changed} changed, " if moved.changed else ""
        data(f"Copied {counted(moved.added, 'file')} from {there}, {changed}{moved.merged} merged")
    for agent, count in begun.agents.items():
        data(f"{agent}: {counted(count, 'session file')}")
    if not begun.agents:
        say("no agent sessions found; git lerim connect shows the folders searched")


def _say_next(store: str, model: str) -> None:
    if store == "tree":
        say(
            "next: git lerim sync --window all writes the memories into your work tree; add"
            " --stage or --commit to stage or commit them"
        )
    elif model:
        say(
            "next: git lerim sync --window all --dry-run shows how many tokens of your sessions"
            f" {model} would get; run it without --dry-run to add their memories"
        )
    else:
        say(
            "next: git lerim sync --window all --dry-run shows the memories that all your"
            " sessions would add; run it without --dry-run to add them"
        )
    say(
        "then: git lerim install sets up hooks in git and your agents, so that this happens"
        " automatically"
    )


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
