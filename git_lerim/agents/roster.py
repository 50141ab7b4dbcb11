"""The agents that git-lerim knows. Each is a module, loaded when it is asked for."""

from importlib import import_module
from typing import cast

from git_lerim.agents.base import Agent
from git_lerim.errors import UsageError

AGENTS = {
    "claude": "git_lerim.agents.claude",
    "codex": "git_lerim.agents.codex",
    "opencode": "git_lerim.agents.opencode",
    "cursor": "git_lerim.agents.cursor",
    "gemini": "git_lerim.agents.gemini",
    "copilot": "git_lerim.agents.copilot",
    "pi": "git_lerim.agents.pi",
}


def agent(name: str) -> Agent:
    """Return the module that knows an agent."""
    if name not in AGENTS:
        raise UsageError(f"git-lerim does not know the agent {name}", hint=f"it knows {', '.join(AGENTS)}")
    return cast("Agent", import_module(AGENTS[name]))
