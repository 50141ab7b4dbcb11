"""Find out who reads a command's output: a person, or an agent that runs the command.

This module imports nothing, so that fast commands start quickly.
"""

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Mapping

# Variables that agents set for the commands they run; not those that people set for agents,
# such as CODEX_HOME or GEMINI_API_KEY.
MARKERS = (
    "CLAUDECODE", "AI_AGENT", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID", "GEMINI_CLI", "QWEN_CODE", "PI_CODING_AGENT", "CLINE_ACTIVE",
    "CURSOR_AGENT", "OPENCODE", "OPENCODE_CLIENT", "COPILOT_CLI", "COPILOT_AGENT",
    "CRUSH", "GOOSE_TERMINAL", "AUGMENT_AGENT", "ANTIGRAVITY_AGENT", "TRAE_AI_SHELL_ID",
)  # fmt: skip


def marked(env: "Mapping[str, str]") -> dict[str, str]:
    """Return the variable that makes a command count as run by an agent."""
    return {"AI_AGENT": env.get("AI_AGENT") or "git-lerim"}


def is_agent(env: "Mapping[str, str]") -> bool:
    """Return whether an agent runs this command, according to environment variables."""
    return any(env.get(name) for name in MARKERS)


def is_run_by(env: "Mapping[str, str]", agent: str) -> bool:
    """Return whether the agent of this name runs the command, as far as variables tell."""
    names = [name for name in MARKERS if env.get(name)]
    return any(
        word.upper().startswith(agent.upper()) for word in (*names, env.get("AI_AGENT") or "")
    )
