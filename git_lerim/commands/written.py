"""Options that say what becomes of what a verb writes: staged, committed or proposed."""

from collections.abc import Callable
from typing import Any

import click


# as click calls it
def _then(context: click.Context, option: click.Parameter, given: bool) -> None:  # noqa: FBT001
    if given and context.meta.get(THEN) != "commit":  # which stages, too
        context.meta[THEN] = str(option.name)


THEN = "git_lerim.then"  # what becomes of files that are written into the work tree


def written_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add options to stage or commit what the verb writes into the work tree."""
    stage = click.option(
        "--stage",
        is_flag=True,
        expose_value=False,
        callback=_then,
        help="With lerim.store=tree: stage the files written.",
    )
    commit = click.option(
        "--commit",
        is_flag=True,
        expose_value=False,
        callback=_then,
        help="With lerim.store=tree: commit the files written, and nothing else.",
    )
    decorated: Callable[..., Any] = stage(commit(function))
    return decorated


propose_option = click.option(
    "--propose",
    is_flag=True,
    expose_value=False,
    callback=_then,
    help="Propose the change on a separate branch for review (see git lerim review)."
    "  [lerim.review]",
)
