"""Separate the user's words from injected text in a Codex rollout, and parse tool output."""

import re
from typing import Any

import msgspec

_INJECTED = (
    *(
        "<environment_context>",
        "<user_instructions>",
        "# AGENTS.md instructions",
        "<INSTRUCTIONS>",
        "<turn_aborted>",
        "<skill>",
    ),
    *(
        "<personality_spec>",
        "<user_action>",
        "<subagent_notification>",
        "<collaboration_mode>",
        "<permissions instructions>",
    ),
    *(
        "<model_switch>",
        "<multi_agent_mode>",
        "<user_shell_command>",
        "<ide_context>",
        "<recommended_plugins>",
        "Another language model started to solve this problem and produced a summary",
        "Warning: The maximum number of unified exec processes",
        "Warning: apply_patch was requested via",
    ),
)
# Ends the context that the IDE adds before the prompt, such as "# Files mentioned by the user:"
# or "# Review findings:".
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\n?", re.MULTILINE)
_IMAGE = re.compile(r"<image\b[^<>\n]*>|</image>|\[Image #\d+\]")
_FOLDER = re.compile(
    r"<cwd>([^<]+)</cwd>|^[ \t]{0,9}(?:- )?Current working directory:(.{1,1000})$", re.MULTILINE
)
_EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)", re.MULTILINE)
_JSON_EXIT = re.compile(r'"exit_code": ?(-?\d+)')
_FAILED = re.compile(
    r"(?:apply_patch verification failed|tool call (?:error|failed)|failed |unsupported |error: |"
    r"Script failed)",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"(?:exec command|patch|command|tool call)? ?rejected by (?:the )?user", re.IGNORECASE
)
_COMMANDS = re.compile(r'\bcmd["\']?:\s*"((?:[^"\\]|\\.)*)"')

FINAL = "Message Type: FINAL_ANSWER"


def texts(content: Any) -> str:
    """Return the text of a message: a string, or a list of items of any type that have text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(
        item["text"]
        for item in content
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    )


def completed_text(content: Any) -> str:
    """Return the text of a completed user message, leaving out non-text items such as skills."""
    if not isinstance(content, list):
        return texts(content)
    return texts([item for item in content if not isinstance(item, dict) or _is_text(item)])


def _is_text(item: dict[str, Any]) -> bool:
    return item.get("type") in ("text", "input_text", None)


def human(text: str) -> str:
    """Return the user's own words in a user message, or an empty string if Codex wrote it."""
    text = text.strip()
    if text.startswith(_INJECTED):
        return ""
    # a selected file can contain such a heading, too: the last one is Codex's
    if text.startswith("# "):
        text = _REQUEST.split(text)[-1] if _REQUEST.search(text) else text
    return _IMAGE.sub("", text).strip() if "<image" in text or "[Image" in text else text


def own_text(payload: dict[str, Any]) -> str:
    """Return the text of a user message without the items that Codex wrote.

    Newer versions of Codex note who wrote each item. Without such a note, all items are returned.
    """
    noted = payload.get("internal_chat_message_metadata_passthrough")
    kinds = noted.get("content_item_kinds") if isinstance(noted, dict) else None
    content = payload.get("content")
    if not isinstance(kinds, list) or not kinds:
        return texts(content)
    own = [str(kind).startswith("user.") for kind in kinds]
    if all(own) or not isinstance(content, list) or len(own) != len(content):
        return texts(content) if all(own) else ""
    return texts([item for item, is_own in zip(content, own, strict=True) if is_own])


def folder(text: str) -> str | None:
    """Return the working directory that an environment description names, or None."""
    found = _FOLDER.search(text)
    return (found[1] or found[2]).strip() if found else None


def output(value: Any) -> tuple[str, int | None, bool]:
    """Return a tool's output as text, its exit code if known, and whether the tool failed."""
    code = success = None
    if isinstance(value, str) and value.startswith("{"):
        value = _decoded(value)
    if isinstance(value, dict):
        metadata, success = value.get("metadata"), value.get("success")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        value = (
            value["output"] if isinstance(value.get("output"), str) else value.get("content", "")
        )
    text = texts(value)
    if not isinstance(code, int):
        code = _exit_code(text)
    failed = (
        success is False
        or (code is None and _FAILED.match(text) is not None)
        or code not in {None, 0}
    )
    return text, code, failed


def _decoded(text: str) -> Any:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return text
    return value if isinstance(value, dict) and "output" in value else text


def _exit_code(text: str) -> int | None:
    """Return the exit code from the lines that Codex writes above a tool's output.

    A script in code mode can have several exit codes: the first that is not 0 is returned, or 0 if
    there is no such code.
    """
    above, _, below = text.partition("\nOutput:\n")
    if found := _EXIT.search(above, 0, 400) or (
        below.startswith("Exit code: ") and _EXIT.match(below)
    ):
        return int(found[1])
    if not text.startswith("Script "):
        return None
    codes = [int(code) for code in _JSON_EXIT.findall(below)]
    return next((code for code in codes if code), codes[0] if codes else None)


def rejected(text: str) -> bool:
    """Return whether a tool's output says that the user refused the call."""
    return _REJECTED.match(text) is not None


def commands(script: str) -> list[str]:
    """Return the shell commands that a code-mode script runs."""
    return [unquoted(found) for found in _COMMANDS.findall(script)]


def unquoted(literal: str) -> str:
    """Return the value of a string literal whose quotes were removed."""
    try:
        return msgspec.json.decode(f'"{literal}"', type=str)
    except (msgspec.DecodeError, UnicodeError):
        return literal
