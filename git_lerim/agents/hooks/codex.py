"""Hook git-lerim into Codex: `hooks.json`, in seconds; it trusts a hook by hash and place, so ours come last and stay."""

from pathlib import Path

from git_lerim.agents.base import Places
from git_lerim.agents.hooked import Target
from git_lerim.agents.hooks.settings import Form, Hook, hook_file
from git_lerim.file_edits import ManagedFile

NAME = "codex"
SCOPES = ("user", "project")

_FORM = Form(agent=NAME)
_HOOKS = (
    Hook(event="SessionStart", timeout=10),
    Hook(event="UserPromptSubmit", timeout=5),
    Hook(event="PreToolUse", tools="Bash|apply_patch", timeout=5),
    Hook(event="PostToolUse", tools="Bash", timeout=5),
    Hook(event="SubagentStart", timeout=5),
    Hook(event="PreCompact", timeout=5),
    Hook(event="SessionEnd", timeout=3),
)


def found(places: Places) -> bool:
    """Tell whether the agent is on this machine: it has a folder of its own."""
    return _home(places).is_dir()


def files(target: Target) -> list[ManagedFile]:
    """Return the settings file with our hooks."""
    path = (
        target.root / ".codex" / "hooks.json"
        if target.scope == "project" and target.root
        else _home(target.places) / "hooks.json"
    )
    return [hook_file(path, _FORM, _HOOKS, target)]


def advice(target: Target) -> list[str]:
    """Return what the user has to do."""
    del target
    return ["Codex skips hooks that nobody has reviewed, and says nothing: start codex once and trust them (/hooks)"]


def problems(target: Target) -> list[str]:
    """Return what keeps the hooks from delivering."""
    del target
    return []


def _home(places: Places) -> Path:
    named = places.env.get("CODEX_HOME")
    return Path(named) if named else places.home / ".codex"
