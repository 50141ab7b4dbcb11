"""Hook git-lerim into Claude Code: `settings.json`, timeouts in seconds."""

from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks

NAME = "claude"
SCOPES = ("user", "project")

_AGENT = SettingsHooks(
    form=Form(agent=NAME),
    folder=".claude",
    variable="CLAUDE_CONFIG_DIR",
    user="settings.json",
    project=".claude/settings.json",
    hooks=(
        Hook(event="SessionStart", timeout=10),
        Hook(event="UserPromptSubmit", timeout=5),
        Hook(event="PreToolUse", tools="Read|Edit|MultiEdit|Write|NotebookEdit", timeout=5),
        Hook(event="PostToolUseFailure", tools="Bash", timeout=5),
        Hook(event="SubagentStart", timeout=5),
        Hook(event="PreCompact", timeout=5),
        Hook(event="SessionEnd", timeout=5),  # its default is 1.5 seconds
    ),
)
found, files = _AGENT.found, _AGENT.files
advice = problems = _AGENT.nothing
