"""`git lerim init`: the branch, and what comes next."""

from git_lerim.actions import begin
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.tokens import counted


@verb()
@personal_option
@json_option
def command(*, personal: bool, as_json: bool) -> None:
    """Make the memory branch, or take the remote's. Nothing else is touched; a second time does nothing."""
    begun = begin.init(opened(personal=personal, making=True))
    if as_json:
        data_json(
            {
                "branch": begun.branch,
                "commit": begun.commit,
                "made": begun.made,
                "taken_from": begun.taken_from,
                "agents": begun.agents,
            }
        )
        return
    if begun.taken_from:
        data(f"{begun.branch} was taken from {begun.taken_from}")
    else:
        data(f"{begun.branch} was made" if begun.made else f"{begun.branch} is there already")
    for agent, count in begun.agents.items():
        data(f"{agent}: {counted(count, 'file')} of sessions")
    if not begun.agents:
        say("no agent's sessions were found; git lerim connect shows where was looked")
    say("next: git lerim sync --dry-run shows what would be kept, git lerim sync keeps it")
