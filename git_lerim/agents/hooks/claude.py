"""Hook git-lerim into Claude Code: hooks in `settings.json`, the server in `.claude.json`.

Timeouts are in seconds.
"""

from git_lerim.agents.hooked import MCP, Target
from git_lerim.agents.hooks.servers import Server, json_file
from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks
from git_lerim.file_edits import ManagedFile

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
        Hook(
            event="PreToolUse", tools="Read|Edit|MultiEdit|Write|NotebookEdit|Agent|Task", timeout=5
        ),
        Hook(event="PostToolUseFailure", tools="Bash", timeout=5),
        Hook(event="SubagentStart", timeout=5),
        Hook(event="PreCompact", timeout=5),
        Hook(event="SessionEnd", timeout=5),  # its default is 1.5 seconds
    ),
)
found = _AGENT.found
advice = problems = _AGENT.nothing


def files(target: Target) -> list[ManagedFile]:
    """Return the files to change: settings with hooks, the list of MCP servers, the skill."""
    places = target.places
    folder = _AGENT.home(places) if "CLAUDE_CONFIG_DIR" in places.env else places.home
    server = (
        [json_file(folder / ".claude.json", Server(more={"type": "stdio"}), target)]
        if target.has(MCP)
        else []
    )
    return [*_AGENT.files(target), *server]
