"""Options that say what becomes of what a verb writes: staged, committed or proposed."""

from collections.abc import Callable
from typing import Any, TypeAlias

import click

_Function: TypeAlias = Callable[..., Any]


# as click calls it
def _then(context: click.Context, option: click.Parameter, given: bool) -> None:  # noqa: FBT001
    if given and context.meta.get(THEN) != "commit":  # which stages, too
        context.meta[THEN] = str(option.name)


THEN = "git_lerim.then"  # what becomes of files that are written into the work tree


def _option(flag: str, text: str) -> Callable[[_Function], _Function]:
    return click.option(flag, is_flag=True, expose_value=False, callback=_then, help=text)


def written_options(function: _Function) -> _Function:
    """Add options to stage or commit what the verb writes into the work tree."""
    stage = _option("--stage", "With lerim.store=tree: stage the files written.")
    commit = _option(
        "--commit", "With lerim.store=tree: commit the files written, and nothing else."
    )
    return stage(commit(function))


propose_option = _option(
    "--propose",
    "Propose the change on a separate branch for review (see git lerim review).  [lerim.review]",
)
