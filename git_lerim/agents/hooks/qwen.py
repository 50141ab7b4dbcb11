"""Hook git-lerim into Qwen Code: hooks in `settings.json`, with Claude Code's events.

Timeouts are in milliseconds. The output of PreToolUse hooks never reaches the model, and a command
that fails is reported by a normal PostToolUse.
"""

from git_lerim.agents.hooks.servers import Server
from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks

NAME = "qwen"
SCOPES = ("user", "project")

_AGENT = SettingsHooks(
    form=Form(agent=NAME),
    folder=".qwen",
    user="settings.json",
    project=".qwen/settings.json",
    server=Server(),
    servers="settings.json",
    hooks=(
        Hook(event="SessionStart", timeout=10_000),
        Hook(event="UserPromptSubmit", timeout=5_000),
        Hook(
            event="PostToolUse", tools="read_file|edit|write_file|run_shell_command", timeout=5_000
        ),
        Hook(event="SubagentStart", timeout=5_000),
        Hook(event="PreCompact", timeout=5_000),
        Hook(event="Stop", timeout=5_000),
        Hook(event="SessionEnd", timeout=5_000),
    ),
)
found, files = _AGENT.found, _AGENT.files
advice = problems = _AGENT.nothing
