"""The table of the agents that git-lerim knows; each module is loaded on first use."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from git_lerim.errors import UsageError

if TYPE_CHECKING:
    from git_lerim.agents.base import Agent, Places

AGENTS = {
    "claude": "git_lerim.agents.claude",
    "codex": "git_lerim.agents.codex",
    "opencode": "git_lerim.agents.opencode",
    "cursor": "git_lerim.agents.cursor",
    "gemini": "git_lerim.agents.gemini",
    "copilot": "git_lerim.agents.copilot",
    "pi": "git_lerim.agents.pi",
    "qwen": "git_lerim.agents.qwen",
    "cline": "git_lerim.agents.cline",
}


def agent(name: str) -> "Agent":
    """Return the module of an agent. Raises UsageError if the agent is unknown."""
    return cast("Agent", import_module(AGENTS[checked(name)]))


def checked(name: str, others: Iterable[str] = ()) -> str:
    """Return the name if it is a known agent or among `others`. Raises UsageError if not."""
    known = dict.fromkeys((*AGENTS, *others))
    if name not in known:
        raise UsageError(
            f"git-lerim does not know the agent {name}", hint=f"known agents: {', '.join(known)}"
        )
    return name


def roots(name: str, places: "Places", paths: Mapping[str, str]) -> list[Path]:
    """Return where an agent's sessions may be: the folder the user has set, else the defaults.

    `paths` maps agents to the folders that the user has set.
    """
    found = (
        [places.home / paths[name].removeprefix("~/")]
        if name in paths
        else agent(name).roots(places)
    )
    return list(dict.fromkeys(found))
