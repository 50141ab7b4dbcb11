"""`git lerim uninstall`: remove what install wrote, and nothing else."""

from typing import Any

from git_lerim.actions.hooks import install
from git_lerim.commands.install import carried_out, chosen, options
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import json_option, verb, yes_option


@verb()
@options
@yes_option
@json_option
def command(*, yes: bool, dry_run: bool, as_json: bool, everything: bool, **named: Any) -> int:
    """Remove git's hooks and the agents' hooks of git-lerim, whatever version wrote them.

    Without options it asks about each part that is installed. Files that nobody changed since
    become what they were, byte for byte. The memory stays.
    """
    ws = opened(fallback=True)
    parts = install.removal(ws, chosen(**named))
    return carried_out(
        parts, "uninstall", yes=yes, dry_run=dry_run, as_json=as_json, at_once=everything
    )
