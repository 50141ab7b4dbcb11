"""Hook git-lerim into Codex: hooks in `hooks.json`, the MCP server in `config.toml`.

Timeouts are in seconds. Codex trusts a hook by its hash and position, so our hooks are appended
last and never change.
"""

from git_lerim.agents.hooked import MCP, Target
from git_lerim.agents.hooks.servers import toml_file
from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks
from git_lerim.file_edits import ManagedFile

NAME = "codex"
SCOPES = ("user", "project")

_AGENT = SettingsHooks(
    form=Form(agent=NAME),
    folder=".codex",
    variable="CODEX_HOME",
    user="hooks.json",
    project=".codex/hooks.json",
    hooks=(
        Hook(event="SessionStart", timeout=10),
        Hook(event="UserPromptSubmit", timeout=5),
        Hook(event="PreToolUse", tools="Bash|apply_patch", timeout=5),
        Hook(event="PostToolUse", tools="Bash", timeout=5),
        Hook(event="SubagentStart", timeout=5),
        Hook(event="PreCompact", timeout=5),
        Hook(event="SessionEnd", timeout=3),
    ),
)
found, problems = _AGENT.found, _AGENT.nothing


def files(target: Target) -> list[ManagedFile]:
    """Return the files to change: the hooks file, settings with the MCP server, the skill."""
    server = (
        [toml_file(_AGENT.home(target.places) / "config.toml", target)] if target.has(MCP) else []
    )
    return [*_AGENT.files(target), *server]


def advice(target: Target) -> list[str]:
    """Tell the user to trust the hooks in Codex, which otherwise skips them."""
    del target
    return [
        (
            "Codex silently skips hooks that nobody has reviewed: start codex once and"
            " trust them (/hooks)"
        )
    ]
