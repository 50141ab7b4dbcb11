"""Hook git-lerim into Copilot CLI: a file of our own among its hooks, timeouts in seconds."""

from pathlib import Path

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import Target
from git_lerim.agents.hooks.settings import Form, Hook, hook_file
from git_lerim.file_edits import ManagedFile

NAME = "copilot"
SCOPES = ("user", "project")

_FORM = Form(agent=NAME, nested=False, command="bash", timeout="timeoutSec", version=1)
_HOOKS = (
    Hook(event="sessionStart", timeout=10),
    Hook(event="userPromptSubmitted", timeout=5),
    Hook(event="preToolUse", timeout=5),
    Hook(event="postToolUse", timeout=5),
    Hook(event="subagentStart", timeout=5),
    Hook(event="preCompact", timeout=5),
    Hook(event="sessionEnd", timeout=5),
)


def found(places: Places) -> bool:
    """Tell whether the agent is on this machine: it has a folder of its own."""
    return _home(places).is_dir()


def files(target: Target) -> list[ManagedFile]:
    """Return the settings file with our hooks."""
    path = (
        target.root / ".github" / "hooks" / "git-lerim.json"
        if target.scope == "project" and target.root
        else _home(target.places) / "hooks" / "git-lerim.json"
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
    named = places.env.get("COPILOT_HOME")
    return Path(named) if named else places.home / ".copilot"
