"""Begin: the branch, and which agents are read."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from git_lerim.agents import roster
from git_lerim.errors import LerimError, UsageError
from git_lerim.git import gitconfig
from git_lerim.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What `init` found and made."""

    branch: str
    commit: str
    made: bool
    taken_from: str | None
    agents: dict[str, int]  # agent → how many files of sessions lie there


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """One agent: whether it is read, where its sessions lie, and how many files are there."""

    agent: str
    connected: bool
    paths: tuple[str, ...]
    sources: int


def init(ws: Workspace) -> Begun:
    """Take the remote's branch as it was last fetched, else make it; do nothing when it is there."""
    before = ws.store.tip()
    remote = ws.settings["remote"]
    taken = before is None and ws.store.attach(remote)
    tip = ws.store.start()
    agents = {row.agent: row.sources for row in connections(ws) if row.sources}
    branch = ws.settings["branch"]
    return Begun(
        branch=branch, commit=tip, made=before is None, taken_from=f"{remote}/{branch}" if taken else None, agents=agents
    )


def connections(ws: Workspace) -> list[Connection]:
    """Return all agents that are known."""
    chosen = ws.settings["agents"]
    return [_connection(ws, name, connected=chosen is None or name in chosen) for name in roster.AGENTS]


def _connection(ws: Workspace, name: str, *, connected: bool) -> Connection:
    agent = roster.agent(name)
    roots = roster.roots(name, ws.places, ws.settings.paths)
    there, count = [], 0
    for root in roots:
        try:
            if root.exists():
                there.append(root)
                count += sum(1 for _ in agent.find(root))
        except (LerimError, OSError):
            continue  # sync names what cannot be read
    return Connection(agent=name, connected=connected, paths=tuple(map(str, there or roots)), sources=count)


def connect(ws: Workspace, name: str, path: str | None) -> None:
    """Read this agent's sessions, and where a path is given, from there."""
    roster.agent(name)
    if path is not None:
        folder = Path(path).expanduser().absolute()
        if not folder.exists():
            raise UsageError(f"{folder} does not exist", hint="--path takes the folder in which the agent keeps its sessions")
        gitconfig.replace(ws.place, f"lerim.{name}.path", str(folder))
    chosen = ws.settings["agents"]
    if chosen is not None:
        _choose(ws, [*chosen, name])


def disconnect(ws: Workspace, name: str) -> None:
    """Read this agent's sessions no longer; what came from them stays."""
    roster.agent(name)
    chosen = ws.settings["agents"]
    _choose(ws, [other for other in (roster.AGENTS if chosen is None else chosen) if other != name])
    gitconfig.unset(ws.place, f"lerim.{name}.path")


def connect_auto(ws: Workspace) -> None:
    """Read every agent that is found on this machine, now and later."""
    gitconfig.unset(ws.place, "lerim.agents")


def _choose(ws: Workspace, names: Iterable[str]) -> None:
    gitconfig.replace(ws.place, "lerim.agents", ",".join(dict.fromkeys(names)) or "none")
