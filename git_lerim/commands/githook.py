"""`git lerim githook`: the command that git's hooks run; it is internal and has no help."""

import os
import sys

import click

from git_lerim.actions.hooks import githook
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import verb
from git_lerim.screen import reader


@verb()
@click.argument("event", default="post-commit")
@click.argument("words", nargs=-1)
@click.option("--now", is_flag=True, help="Work in the foreground instead of the background.")
@click.option(
    "--scan", is_flag=True, help="Scan the memory commits of a push, which git lists on stdin."
)
# `words` is what git passes to a hook
def command(*, event: str, words: tuple[str, ...], now: bool, scan: bool) -> None:  # noqa: ARG001
    """Sync in the background after a commit or checkout, and scan the memory before a push."""
    githook.drop_git_variables()
    if scan:
        githook.scan(opened(), sys.stdin.read())
    elif now:
        os.environ.update(reader.marked(os.environ))  # it may have been an agent that ran git
        githook.run(opened(), event)
    else:
        githook.start(event)
