"""`git lerim pull`: take a remote's memory in."""

import click

from git_lerim.actions import review
from git_lerim.actions.propose import fetch_others
from git_lerim.actions.share import Pulled, accepted, pull
from git_lerim.commands.opening import opened
from git_lerim.commands.review import tell_each
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.commands.waiting import tell_waiting
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb()
@click.argument("remote", required=False)
@click.option(
    "--accept", multiple=True, metavar="ID", help="Fetch nothing; hand out what waits (see lerim.trust): an ID, or all."
)
@personal_option
@json_option
def command(*, remote: str | None, accept: tuple[str, ...], personal: bool, as_json: bool) -> None:
    """Fetch the memory of a REMOTE (lerim.remote, origin by default) and join it with yours; no conflict is left to you."""
    ws = opened(personal=personal, making=True)
    if accept:
        _accept(ws, accept, as_json=as_json)
        return
    pulled = pull(ws, remote)
    proposed = [] if ws.personal else fetch_others(ws, remote)
    if as_json:
        data_json(to_json(pulled) | {"proposals": [review.as_json(each) for each in proposed]})
        return
    tell(pulled)
    if pulled.commit is None:
        say(f"{pulled.remote} has no memory, and neither has this repository: git lerim sync looks for some")
    elif not pulled.moved and not proposed:
        data("nothing new")
    if proposed:
        data(f"{counted(len(proposed), 'proposal')} to review: git lerim review")
        tell_each(proposed)


def tell(pulled: Pulled) -> None:
    """Print what came."""
    if pulled.moved:
        others = ((len(pulled.changed), "changed"), (len(pulled.merged), "merged"))
        told = "".join(f", {number} {what}" for number, what in others if number)
        data(f"{counted(len(pulled.added), 'new memory')}{told} from {pulled.remote}")
    for file in pulled.aside:
        say(f"set aside, and not handed out: {file}")
    if pulled.moved:
        tell_waiting([(each.id or each.path, each.reason) for each in pulled.waiting])


def _accept(ws: Workspace, wanted: tuple[str, ...], *, as_json: bool) -> None:
    changed = accepted(ws, None if wanted == ("all",) else wanted)
    if as_json:
        data_json({"accepted": changed})
    else:
        data(f"{counted(len(changed), 'file')} accepted, and handed out from now on" if changed else "nothing waits")


def to_json(pulled: Pulled) -> dict[str, object]:
    """Return what came, as `--json` has it."""
    return {
        "remote": pulled.remote,
        "commit": pulled.commit,
        "moved": pulled.moved,
        "added": list(pulled.added),
        "changed": list(pulled.changed),
        "merged": list(pulled.merged),
        "quarantined": list(pulled.aside),
        "waiting": [{"id": each.id, "path": each.path, "reason": each.reason} for each in pulled.waiting],
    }
