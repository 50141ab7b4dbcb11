"""Ask before git connects through a program named in the repository's own configuration."""

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.sharing.push import Ask
from git_lerim.git.running.drivers import connecting_programs
from git_lerim.git.running.process import plain
from git_lerim.workspace import Workspace


def agree_to_connect(ws: Workspace, ask: Ask) -> None:
    """Ask whether git may connect as the repository's own configuration says.

    The user is asked only if that configuration names programs, and only once for each set of
    settings. Raises Declined, ReadOnly.
    """
    programs = connecting_programs(ws.place)
    if ws.personal or not programs or ws.consent.allows_connecting(programs):
        return
    refuse_agent(ws, "this repository's own configuration makes git run programs to connect")
    names = ", ".join(plain(name) for name in programs)
    ask(
        "this repository's own configuration decides how git connects, and can make it run"
        f" programs, write files or trust another server: {names} (git config --local --list shows"
        " the values)\nconnect that way?"
    )
    ws.consent.allow_connecting(programs)
