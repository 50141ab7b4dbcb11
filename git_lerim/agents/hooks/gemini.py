"""Hook git-lerim into Gemini CLI: hooks and MCP server in `settings.json`.

Timeouts are in milliseconds. The event PreCompact is not used, because it occurs before every call
of the model.
"""

from git_lerim.agents.hooks.servers import Server
from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks

NAME = "gemini"
SCOPES = ("user", "project")

_AGENT = SettingsHooks(
    form=Form(agent=NAME),
    folder=".gemini",
    user="settings.json",
    project=".gemini/settings.json",
    server=Server(),
    servers="settings.json",
    hooks=(
        Hook(event="SessionStart", timeout=10_000),
        Hook(event="BeforeAgent", timeout=5_000),
        Hook(
            event="AfterTool", tools="read_file|write_file|replace|run_shell_command", timeout=5_000
        ),
        Hook(event="SessionEnd", timeout=5_000),
    ),
)
found, files = _AGENT.found, _AGENT.files
advice = problems = _AGENT.nothing
