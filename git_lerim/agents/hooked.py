"""The interface of modules that install git-lerim's hooks in an agent, and a table of them."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from git_lerim.agents.base import Places
from git_lerim.errors import UsageError
from git_lerim.file_edits import ManagedFile

MCP, SKILL = "mcp", "skill"  # optional parts besides the hooks

# name → module, loaded on first use
HOOKED: dict[str, str] = {
    "claude": "git_lerim.agents.hooks.claude",
    "codex": "git_lerim.agents.hooks.codex",
    "opencode": "git_lerim.agents.hooks.opencode",
    "gemini": "git_lerim.agents.hooks.gemini",
    "copilot": "git_lerim.agents.hooks.copilot",
    "pi": "git_lerim.agents.hooks.pi",
    "qwen": "git_lerim.agents.hooks.qwen",
    "cursor": "git_lerim.agents.hooks.cursor",
    "instructions": "git_lerim.agents.hooks.instructions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where to install hooks: for the user, or in the repository for the whole team."""

    places: Places
    scope: str  # user | project
    root: Path | None  # the work tree, if inside one
    program: str  # absolute path of git-lerim; must not be written into a repository
    without: frozenset[str] = frozenset()  # the parts to leave out: MCP, SKILL

    def has(self, part: str) -> bool:
        """Return whether to install an optional part: the MCP server or the skill.

        The MCP server is left out of a team's files: it would fail where git-lerim is missing.
        """
        return part not in self.without and not (part == MCP and self.scope == "project")


class Hooked(Protocol):
    """The interface of a module that installs git-lerim's hooks in one agent.

    The module reads and writes no files itself.
    """

    NAME: str
    SCOPES: tuple[str, ...]  # the values of `Target.scope` it supports

    def found(self, places: Places) -> bool:
        """Return whether the agent is installed on this machine."""
        ...

    def files(self, target: Target) -> list[ManagedFile]:
        """Return the files that contain our hooks, MCP server and skill, existing or not.

        The target's scope must be one of SCOPES.
        """
        ...

    def advice(self, target: Target) -> list[str]:
        """Return what the user has to do after installing, one line for each step."""
        ...

    def problems(self, target: Target) -> list[str]:
        """Return the problems that keep the installed hooks from working, with their solutions."""
        ...


def hooked(name: str) -> Hooked:
    """Return the module that installs hooks in an agent. Raises UsageError if none does."""
    if name not in HOOKED:
        raise UsageError(
            f"git-lerim has no hooks for {name}",
            hint=f"agents with hooks: {', '.join(HOOKED) or 'none yet'}",
        )
    return cast("Hooked", import_module(HOOKED[name]))
