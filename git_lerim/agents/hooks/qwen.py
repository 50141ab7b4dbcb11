"""Hook git-lerim into Qwen Code: `settings.json` with the events of Claude Code, in milliseconds.

What PreToolUse says reaches no model; a command that exits with an error is a PostToolUse like any other.
"""

from pathlib import Path

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import Target
from git_lerim.agents.hooks.settings import Form, Hook, hook_file
from git_lerim.file_edits import ManagedFile

NAME = "qwen"
SCOPES = ("user", "project")

_FORM = Form(agent=NAME)
_HOOKS = (
    Hook(event="SessionStart", timeout=10_000),
    Hook(event="UserPromptSubmit", timeout=5_000),
    Hook(event="PostToolUse", tools="read_file|edit|write_file|run_shell_command", timeout=5_000),
    Hook(event="SubagentStart", timeout=5_000),
    Hook(event="PreCompact", timeout=5_000),
    Hook(event="Stop", timeout=5_000),
    Hook(event="SessionEnd", timeout=5_000),
)


def found(places: Places) -> bool:
    """Tell whether the agent is on this machine: it has a folder of its own."""
    return _home(places).is_dir()


def files(target: Target) -> list[ManagedFile]:
    """Return the settings file with our hooks."""
    path = (
        target.root / ".qwen" / "settings.json"
        if target.scope == "project" and target.root
        else _home(target.places) / "settings.json"
    )
    return [hook_file(path, _FORM, _HOOKS, target)]


def advice(target: Target) -> list[str]:
    """Return what the user has to do."""
    del target
    return []


def problems(target: Target) -> list[str]:
    """Return what keeps the hooks from delivering."""
    del target
    return []


def _home(places: Places) -> Path:
    return places.home / ".qwen"
