"""Hook git-lerim into Copilot CLI, with a hooks file of its own; timeouts are in seconds."""

from git_lerim.agents.hooks.servers import Server
from git_lerim.agents.hooks.settings import Form, Hook, SettingsHooks

NAME = "copilot"
SCOPES = ("user", "project")

_AGENT = SettingsHooks(
    form=Form(agent=NAME, nested=False, command="bash", timeout="timeoutSec", version=1),
    folder=".copilot",
    variable="COPILOT_HOME",
    user="hooks/git-lerim.json",
    project=".github/hooks/git-lerim.json",
    server=Server(more={"type": "local", "tools": ["*"]}),
    servers="mcp-config.json",
    project_skills=".github/skills",
    hooks=(
        Hook(event="sessionStart", timeout=10),
        Hook(event="userPromptSubmitted", timeout=5),
        Hook(event="preToolUse", timeout=5),
        Hook(event="postToolUse", timeout=5),
        Hook(event="subagentStart", timeout=5),
        Hook(event="preCompact", timeout=5),
        Hook(event="sessionEnd", timeout=5),
    ),
)
found, files = _AGENT.found, _AGENT.files
advice = problems = _AGENT.nothing
