"""Hook git-lerim into Claude Code: `settings.json`, timeouts in seconds."""

from pathlib import Path

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import Target
from git_lerim.agents.hooks.settings import Form, Hook, hook_file
from git_lerim.file_edits import ManagedFile

NAME = "claude"
SCOPES = ("user", "project")

_FORM = Form(agent=NAME)
_HOOKS = (
    Hook(event="SessionStart", timeout=10),
    Hook(event="UserPromptSubmit", timeout=5),
    Hook(event="PreToolUse", tools="Read|Edit|MultiEdit|Write|NotebookEdit", timeout=5),
    Hook(event="PostToolUseFailure", tools="Bash", timeout=5),
    Hook(event="SubagentStart", timeout=5),
    Hook(event="PreCompact", timeout=5),
    Hook(event="SessionEnd", timeout=5),  # its default is 1.5 seconds
)


def found(places: Places) -> bool:
    """Tell whether the agent is on this machine: it has a folder of its own."""
    return _home(places).is_dir()


def files(target: Target) -> list[ManagedFile]:
    """Return the settings file with our hooks."""
    path = (
        target.root / ".claude" / "settings.json"
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
    named = places.env.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else places.home / ".claude"
