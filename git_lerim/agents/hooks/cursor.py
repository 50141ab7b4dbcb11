"""Hook git-lerim into Cursor, with hooks in a flat `hooks.json`; timeouts are in seconds."""

from git_lerim.agents.hooks.servers import Server
from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks

NAME = "cursor"
SCOPES = ("user", "project")

_AGENT = SettingsHooks(
    form=Form(agent=NAME, nested=False, version=1),
    folder=".cursor",
    user="hooks.json",
    project=".cursor/hooks.json",
    server=Server(),
    servers="mcp.json",
    hooks=(
        Hook(event="sessionStart", timeout=10),
        Hook(event="postToolUse", timeout=5),
        Hook(event="preCompact", timeout=5),
        Hook(event="sessionEnd", timeout=5),
    ),
)
found, files = _AGENT.found, _AGENT.files
advice = problems = _AGENT.nothing
