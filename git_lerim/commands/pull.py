"""`git lerim pull`: take a remote's memory in."""

import click

from git_lerim.actions.propose import fetch_others
from git_lerim.actions.share import Pulled, pull
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.tokens import counted


@verb()
@click.argument("remote", required=False)
@personal_option
@json_option
def command(*, remote: str | None, personal: bool, as_json: bool) -> None:
    """Fetch the memory of a REMOTE (lerim.remote, origin by default) and join it with yours; no conflict is left to you."""
    ws = opened(personal=personal, making=True)
    pulled = pull(ws, remote)
    if not ws.personal:
        fetch_others(ws, remote)
    if as_json:
        data_json(to_json(pulled))
        return
    tell(pulled)
    if pulled.commit is None:
        say(f"{pulled.remote} has no memory, and neither has this repository: git lerim sync looks for some")
    elif not pulled.moved:
        data("nothing new")


def tell(pulled: Pulled) -> None:
    """Print what came."""
    if pulled.moved:
        merged = f", {len(pulled.merged)} merged" if pulled.merged else ""
        data(f"{counted(len(pulled.added), 'new memory')}{merged} from {pulled.remote}")
    for file in pulled.aside:
        say(f"set aside, and not handed out: {file}")


def to_json(pulled: Pulled) -> dict[str, object]:
    """Return what came, as `--json` has it."""
    return {
        "remote": pulled.remote,
        "commit": pulled.commit,
        "moved": pulled.moved,
        "added": list(pulled.added),
        "merged": list(pulled.merged),
        "quarantined": list(pulled.aside),
    }
