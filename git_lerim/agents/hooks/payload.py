"""Parse the payload that an agent gives to a hook: session, folder, prompt, files, error.

Agents have different names for the same thing, and change these names. So a value that cannot be
understood is left empty and is never an error. This module imports almost nothing, because an agent
runs hooks at every step.
"""

# ruff: noqa: PTH118, PTH119, PTH120 pathlib alone would cost more than all of this

import os

from git_lerim.agents.hooks.events import (
    FAILURE,
    FILE,
    FILE_TOOLS,
    HELPER,
    HELPER_TOOLS,
    MOMENTS,
    PROMPT,
    SHELL_TOOLS,
    TASK,
    TOOL,
)

TYPE_CHECKING = False  # as in typing, which takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_SESSION = ("session_id", "sessionId", "sessionID", "conversation_id", "conversationId", "session")
_FOLDER = ("cwd", "workspace_roots", "workspacePaths", "directory")
_TOOL = ("tool_name", "toolName", "tool")
_INPUT = ("tool_input", "toolArgs", "tool_args", "args", "input")
_TASKS = ("prompt", "task", "message", "agent_prompt", "description")
_OUTPUT = ("error", "tool_response", "tool_output", "tool_result", "toolResult", "output", "result")
_PATHS = (
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "paths",
    "include",
)
_SAYS = (
    "llmContent",
    "textResultForLlm",
    "stderr",
    "stdout",
    "output",
    "text",
    "content",
    "message",
    "error",
)
_CODES = ("exit_code", "exitCode", "exit", "returncode")
_LONGEST = 20_000  # characters of a prompt or error
_FILES = 12
# Gemini puts the brief before a session's first prompt.
_HOOKED = (
    "<hook_context>",
    "</hook_context>",
)
_PATCHED = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
_FAILED = (
    "traceback",
    "error",
    "exception",
    "fatal",
    "failed",
    "panic",
    "not found",
    "cannot ",
    "denied",
    "undefined",
    "no such",
)


class Event:
    """One event in an agent's session, parsed from the payload of a hook."""

    __slots__ = (
        "agent",
        "cwd",
        "error",
        "files",
        "helper",
        "moment",
        "name",
        "prompt",
        "session",
        "source",
    )

    def __init__(self, agent: str, name: str, moment: str) -> None:
        """Create an empty event.

        `name` is the agent's name for the event, and `moment` is what the event means to git-lerim.
        """
        self.agent = agent
        self.name = name
        self.moment = moment
        self.session = ""
        self.helper = ""  # a sub-agent's id
        self.cwd = ""
        self.source = ""  # of a START: startup, resume, clear, compact …
        self.prompt = ""  # or the task of a sub-agent
        self.files: list[str] = []  # as the agent named them
        self.error = ""  # output of a failed tool


def read(agent: str, name: str, raw: bytes) -> "Event | None":
    """Return the event in a payload; None if it is invalid or if git-lerim does not use it."""
    moment = MOMENTS.get(agent, {}).get(name)
    if moment is None:
        return None
    import json  # noqa: PLC0415 an unknown event needs none

    try:
        given = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not _is_ours(agent, given):
        return None
    event = Event(agent, name, moment)
    event.session = _text(given, _SESSION)
    event.helper = _text(given, ("agent_id", "agentId"))
    event.cwd = _text(given, _FOLDER)
    event.source = _text(given, ("source", "trigger", "reason"))
    if moment == PROMPT:
        event.prompt = _prompt(given)
    elif moment == HELPER:
        event.prompt = _text(given, _TASKS)
    elif moment in {FILE, FAILURE, TOOL}:
        _take_tool(event, given)
    return event


def _is_ours(agent: str, given: "Mapping[str, Any]") -> bool:
    """Return whether an event is for this agent's hook and belongs to a conversation.

    Cursor also runs the hooks of Claude Code, which must then ignore the event.
    """
    if agent == "claude" and "cursor_version" in given:
        return False  # Cursor runs the hooks of Claude Code, too
    return given.get("session_id") != "empty-state-draft"  # Cursor's window without a conversation


def _take_tool(event: Event, given: "Mapping[str, Any]") -> None:
    """Add a tool's files, task or failure to the event, and set the event's moment accordingly."""
    tool = _text(given, _TOOL).rpartition("__")[2].lower()
    arguments = _mapping(_first(given, _INPUT))
    failed = event.moment in {FAILURE, TOOL} and tool in SHELL_TOOLS
    if failed:
        event.moment = FAILURE
        event.error = _failure(event.name, given)
    elif event.moment == FILE and tool in HELPER_TOOLS:
        event.moment = TASK
        event.prompt = _text(arguments, _TASKS)
    elif event.moment != FAILURE and (tool in FILE_TOOLS or tool in SHELL_TOOLS):
        event.moment = FILE
        event.files = _files(tool, arguments)


def _files(tool: str, arguments: "Mapping[str, Any]") -> list[str]:
    """Return the files that a call names: as an argument, in a patch, or in a command."""
    found: list[str] = []
    for key in _PATHS:
        value = arguments.get(key)
        found += [
            one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)
        ]
    for key in ("command", "cmd", "patch", "patchText", "input", "_"):
        text = arguments.get(key)
        text = " ".join(map(str, text)) if isinstance(text, list) else text
        if not isinstance(text, str):
            continue
        text = text[:_LONGEST]
        found += [
            line[len(mark) :]
            for line in text.split("\n")
            for mark in _PATCHED
            if line.startswith(mark)
        ]
        if tool in SHELL_TOOLS and _PATCHED[0][:4] not in text:
            found += [
                word.strip("'\"`;|&()<>,")
                for word in text.split()[:200]
                if "." in word or "/" in word
            ]
    return list(
        dict.fromkeys(path for path in found if path and len(path) < 1000 and "\0" not in path)
    )[:_FILES]


def _failure(name: str, given: "Mapping[str, Any]") -> str:
    """Return the output of a command that failed; an empty string if it succeeded."""
    said = _first(given, _OUTPUT)
    told = _mapping(said)
    facts = [given, told, _mapping(told.get("metadata")), _mapping(given.get("metadata"))]
    codes = [fact[key] for fact in facts for key in _CODES if isinstance(fact.get(key), int)]
    text = _said(said if "_" in told else told or said)  # Cursor puts JSON in a string
    if codes and not any(codes):
        return ""
    known = (
        bool(codes)
        or "failure" in name.lower()
        or given.get("is_error") is True
        or given.get("isError") is True
    )
    if not known:
        _, named, code = text[-400:].rpartition("Exit Code: ")
        known = bool(named) and not code.startswith("0")
        if not named:  # Codex gives no exit code: look for words of failure
            known = any(word in text[-_LONGEST:].lower() for word in _FAILED)
    return text[-_LONGEST:] if known else ""


def _said(value: "Any", depth: int = 0) -> str:
    """Return all text in a tool's result, which may be a string, a list or an object."""
    if isinstance(value, str):
        return value
    if depth > 3:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (_said(one, depth + 1) for one in value[:50])))
    if isinstance(value, dict):
        return "\n".join(
            dict.fromkeys(filter(None, (_said(value.get(key), depth + 1) for key in _SAYS)))
        )
    return ""


def _prompt(given: "Mapping[str, Any]") -> str:
    """Return what the user typed, without the context that a hook added before it."""
    text = _said(_first(given, ("submitted_prompt", "prompt", "message", "text", "parts")))
    while text.lstrip().startswith(_HOOKED[0]) and _HOOKED[1] in text:
        text = text.partition(_HOOKED[1])[2]
    return text[:_LONGEST].replace("\0", " ").strip()


def _first(given: "Mapping[str, Any]", keys: "tuple[str, ...]") -> "Any":
    return next((given[key] for key in keys if given.get(key) is not None), None)


def _text(given: "Mapping[str, Any]", keys: "tuple[str, ...]") -> str:
    for key in keys:
        value = given.get(key)
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, str) and value.strip() and "\0" not in value:
            return value[:4096]
    return ""


def _mapping(value: "Any") -> "Mapping[str, Any]":
    """Return a value as a mapping: as it is, or decoded from a string of JSON.

    Any other text becomes the value of the key `_`.
    """
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        if value.lstrip().startswith("{"):
            import json  # noqa: PLC0415 it is loaded by now

            try:
                found = json.loads(value)
            except (ValueError, RecursionError):
                return {"_": value}
            return found if isinstance(found, dict) else {}
        return {"_": value}
    return {}


def below(root: str, cwd: str, path: str) -> str:
    """Return a file's path relative to the work tree, with slashes.

    The result is an empty string if the file is outside of the work tree.
    """
    whole = os.path.normpath(os.path.join(cwd, path.removeprefix("file://")))
    for top, at in (
        (root, whole),
        (
            os.path.realpath(root),
            os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole)),
        ),
    ):
        if at.startswith(top.rstrip(os.sep) + os.sep):
            return at[len(top.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
    return ""
