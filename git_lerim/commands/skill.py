"""`git lerim skill`: print the skill that teaches an agent to use the memory."""

import click

from git_lerim.actions.skill import SHORT, skill
from git_lerim.commands.terminal import data, verb


@verb(paged=True)
@click.option(
    "--short",
    is_flag=True,
    help="Print a paragraph for AGENTS.md instead, for agents without skills.",
)
def command(*, short: bool) -> None:
    """Print the SKILL.md that tells an agent when to search, remember and hand over.

    Claude Code reads it from .claude/skills/git-lerim/SKILL.md.
    """
    data(SHORT + "\n" if short else skill(), newline=False)
