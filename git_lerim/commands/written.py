"""Options for commands that change memories: stage, commit or propose what is written.

This module also prints the list of changed memories.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from git_lerim.commands.terminal import data
from git_lerim.workspace import Workspace

if TYPE_CHECKING:  # every verb loads this module
    from git_lerim.memories.memory import Memory

_Function: TypeAlias = Callable[..., Any]


# click passes all three arguments by position
def _then(context: click.Context, option: click.Parameter, given: bool) -> None:  # noqa: FBT001
    if given and context.meta.get(THEN) != "commit":  # --commit stages, too
        context.meta[THEN] = str(option.name)


THEN = "git_lerim.then"  # key in `meta`: what follows a write (stage, commit, propose)


def _option(flag: str, text: str) -> Callable[[_Function], _Function]:
    return click.option(flag, is_flag=True, expose_value=False, callback=_then, help=text)


def written_options(function: _Function) -> _Function:
    """Add the options `--stage` and `--commit` to a command that writes into the work tree."""
    stage = _option("--stage", "With lerim.store=tree: stage the files written.")
    commit = _option(
        "--commit", "With lerim.store=tree: commit the files written, and nothing else."
    )
    return stage(commit(function))


propose_option = _option(
    "--propose",
    "Propose the change on a separate branch for review (see git lerim review).  [lerim.review]",
)


def print_changed(ws: Workspace, memories: Sequence["Memory"], noun: str = "") -> None:
    """Print the id and title of each changed memory, with `noun` in front of the title.

    Secrets in titles are redacted; an agent gets no title of a withheld memory.
    """
    from git_lerim.actions.mistrust import titles  # noqa: PLC0415 it loads much

    for memory, title in zip(memories, titles(ws, memories), strict=True):
        data(f"{memory.id}  {noun}{title}")
