"""The hook events of each agent, and what they mean to git-lerim.

This module imports almost nothing, because agents run hooks at every step.
"""

# What we do on an event.
START = "start"  # session begun, resumed or compacted: give the brief
PROMPT = "prompt"  # user prompt: give related memories
FILE = "file"  # file read or edited: give the memories anchored there
FAILURE = "failure"  # tool run that may have failed: give a pitfall with that error
TOOL = "tool"  # tool run: FILE or FAILURE, depending on the tool
# task given to a sub-agent: note related memories for its brief
TASK = "task"
HELPER = "helper"  # sub-agent begun: give the brief and what is related to its task
COMPACTION = "compaction"  # before compaction: sync the session
END = "end"  # session over: sync it and write the handoff

_CLAUDE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": FILE,
    "PostToolUseFailure": FAILURE,
    "SubagentStart": HELPER,
    "PreCompact": COMPACTION,
    "SessionEnd": END,
}
# agent → event → what we do; other events are ignored
MOMENTS = {
    "claude": _CLAUDE,
    "qwen": {
        **_CLAUDE,
        "PostToolUse": TOOL,
        # without a terminal there is neither SessionStart nor SessionEnd
        "Stop": COMPACTION,
    },
    "codex": {**_CLAUDE, "PostToolUse": FAILURE},  # it has no event for failures only
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

# agents that do not always announce a session's start: the first prompt gets the brief
LATE = frozenset(("qwen",))

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

PLAIN = "plain"
_CAMEL = "additionalContext"
_SNAKE = "additional_context"
# key of the answer's text; default: nested, as in Claude's format
FORMS = {
    "copilot": _CAMEL,
    "cursor": _SNAKE,
    "opencode": PLAIN,
    "pi": PLAIN,
}


def answer(agent: str, event: str, text: str) -> str:
    """Return a text in the format in which the agent expects context from a hook."""
    form = FORMS.get(agent)
    if form == PLAIN:
        return text
    import json  # noqa: PLC0415 most hooks print nothing

    said = {form: text} if form else {"hookSpecificOutput": {"hookEventName": event, _CAMEL: text}}
    return json.dumps(said)
