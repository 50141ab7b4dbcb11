"""`git lerim connect`: choose which agents' sessions are read, and from where."""

from collections.abc import Iterable

import click

from git_lerim.actions import setup
from git_lerim.actions.authorship import by_agent
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import data, data_json, json_option, personal_option, say, verb
from git_lerim.errors import UsageError
from git_lerim.tokens import counted
from git_lerim.workspace import Workspace


@verb()
@click.argument("words", nargs=-1, metavar="[list|auto|AGENT|remove AGENT]")
@click.option(
    "--path",
    metavar="FOLDER",
    help="Read this agent's sessions from FOLDER instead of the default.",
)
@personal_option
@json_option
def command(*, words: tuple[str, ...], path: str | None, personal: bool, as_json: bool) -> None:
    """Choose which agents' sessions are read (default: every agent found).

    connect list (or no argument): show the agents. connect auto: read the sessions of every agent
    found. connect AGENT: read this agent's sessions. connect remove AGENT: stop reading them.
    """
    reads = words in {(), ("list",)}
    ws = opened(personal=personal, fallback=reads, making=not reads)
    _connect(ws, words, path)
    now = ws if reads else opened(personal=personal)  # with the new settings
    if path and by_agent(ws):
        say("this folder is not read until a person runs git lerim allow")
    elif not reads and _choice(now) == _choice(ws):
        say("nothing changed")
    rows = setup.connections(now)
    if as_json:
        _print_json(rows)
        return
    for row in rows:
        state = counted(row.sources, "file") if row.sources else "nothing found"
        data(
            f"{'*' if row.connected else ' '} {row.agent:<10} {state:<14}"
            f" {', '.join(row.paths[:2])}"
        )
    say("* marks the agents whose sessions are read")


def _connect(ws: Workspace, words: tuple[str, ...], path: str | None) -> None:
    """Connect or disconnect agents, as the arguments say."""
    match words:
        case () | ("list",) if path is None:
            pass
        case ("auto",) if path is None:
            setup.connect_auto(ws)
        case ("remove", agent) if path is None:
            setup.disconnect(ws, agent)
        case (agent,) if agent not in {"list", "auto", "remove"}:
            setup.connect(ws, agent, path)
        case _:
            raise UsageError(
                "connect takes list, auto, AGENT or remove AGENT",
                hint="see git lerim connect -h",
            )


def _choice(ws: Workspace) -> tuple[object, ...]:
    """Return the settings for the agents whose sessions are read, and for their folders."""
    return ws.settings["agents"], {name: path.value for name, path in ws.settings.paths.items()}


def _print_json(rows: Iterable[setup.Connection]) -> None:
    data_json(
        [
            {
                "agent": r.agent,
                "connected": r.connected,
                "paths": list(r.paths),
                "sources": r.sources,
            }
            for r in rows
        ]
    )
