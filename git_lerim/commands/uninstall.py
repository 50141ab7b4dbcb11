"""`git lerim uninstall`: remove what install wrote, and nothing else."""

from functools import partial
from typing import Any

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.hooks import install
from git_lerim.commands.install import carried_out, chosen, options
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import json_option, verb, yes_option


@verb()
@partial(options, everything="Remove the git hooks here and the hooks of every agent; ask once.")
@yes_option
@json_option
def command(*, yes: bool, dry_run: bool, as_json: bool, everything: bool, **named: Any) -> int:
    """Remove the hooks of git-lerim from git and your agents, whichever version wrote them.

    Without options, asks about each installed part. Files that were not changed after the
    installation are restored byte for byte. The memories are kept.
    """
    ws = opened(fallback=True)
    if not dry_run:
        refuse_agent(ws, "this removes hooks that a person installed")
    parts = install.removal(ws, chosen(**named))
    return carried_out(
        parts, "uninstall", yes=yes, dry_run=dry_run, as_json=as_json, at_once=everything
    )
