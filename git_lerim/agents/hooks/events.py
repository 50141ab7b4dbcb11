"""What each agent's hook events mean to git-lerim.

Imports almost nothing: a hook runs before an agent's every step.
"""

# What an event asks of us.
START = "start"  # a session begins, is resumed, or was compacted: the brief
PROMPT = "prompt"  # the user has said something: what is near to it
FILE = "file"  # a file is about to be read or edited, or just was: what is anchored there
FAILURE = "failure"  # a tool has run and may have failed: a pitfall whose error matches
TOOL = "tool"  # a tool has run: FILE or FAILURE, by what it is
TASK = (  # a sub-agent is about to be given its task: what is near to it is noted for its brief
    "task"
)
HELPER = "helper"  # a sub-agent begins: the brief, with what is near to its task
COMPACTION = "compaction"  # what was said is about to be summarised: sync the session
END = "end"  # the session is over: sync it, and hand over what is open

_CLAUDE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": FILE,
    "PostToolUseFailure": FAILURE,
    "SubagentStart": HELPER,
    "PreCompact": COMPACTION,
    "SessionEnd": END,
}
# agent → event → what it asks of us; an event that is not here is answered by silence
MOMENTS = {
    "claude": _CLAUDE,
    "qwen": {
        **_CLAUDE,
        "PostToolUse": TOOL,
        "Stop": COMPACTION,
    },  # without a terminal it says neither when it begins nor when it ends
    "codex": {**_CLAUDE, "PostToolUse": FAILURE},  # it has no event for failures alone
    "gemini": {"SessionStart": START, "BeforeAgent": PROMPT, "AfterTool": TOOL, "SessionEnd": END},
    "copilot": {
        "sessionStart": START,
        "userPromptSubmitted": PROMPT,
        "preToolUse": FILE,
        "postToolUse": TOOL,
        "subagentStart": HELPER,
        "preCompact": COMPACTION,
        "sessionEnd": END,
    },
    "cursor": {
        "sessionStart": START,
        "postToolUse": TOOL,
        "postToolUseFailure": FAILURE,
        "preCompact": COMPACTION,
        "sessionEnd": END,
    },
    "opencode": {
        "session.start": START,
        "chat.message": PROMPT,
        "tool.execute.before": FILE,
        "tool.execute.after": TOOL,
        "session.compacting": COMPACTION,
        "session.idle": END,
    },
    "pi": {
        "before_agent_start": PROMPT,
        "session_start": START,
        "tool_call": FILE,
        "tool_result": TOOL,
        "session_before_compact": COMPACTION,
        "session_shutdown": END,
    },
}

LATE = frozenset(
    ("qwen",)
)  # agents whose first prompt may be the first we hear of a session: the brief comes with it

# Names of tools, in lower case, by what they do.
FILE_TOOLS = frozenset((
    "read", "edit", "multiedit", "write", "notebookedit", "apply_patch", "patch",
    "read_file", "read_many_files", "write_file", "replace", "edit_file",
    "view", "create", "str_replace", "str_replace_editor", "str_replace_based_edit_tool",
))  # fmt: skip
HELPER_TOOLS = frozenset(("agent", "task", "spawn_agent", "invoke_agent"))
SHELL_TOOLS = frozenset(
    (
        "bash",
        "shell",
        "exec_command",
        "local_shell",
        "run_shell_command",
        "execute_bash",
        "powershell",
    )
)

PLAIN = "plain"  # the text alone
_CAMEL = "additionalContext"
_SNAKE = "additional_context"
FORMS = {
    "copilot": _CAMEL,
    "cursor": _SNAKE,
    "opencode": PLAIN,
    "pi": PLAIN,
}  # of the answer; else it is nested, as Claude's is


def answer(agent: str, event: str, text: str) -> str:
    """Return what to print so that the agent adds a text to its context."""
    form = FORMS.get(agent)
    if form == PLAIN:
        return text
    import json  # noqa: PLC0415 most hooks say nothing

    said = {form: text} if form else {"hookSpecificOutput": {"hookEventName": event, _CAMEL: text}}
    return json.dumps(said)
