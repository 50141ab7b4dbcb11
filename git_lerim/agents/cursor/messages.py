"""Convert the messages of Cursor's CLI, which have no times, to session records."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Record, Role

KIT = toolcalls.Kit(
    shells=frozenset(
        {
            "Shell",
            "shell",
            "Bash",
            "bash",
            "run_terminal_cmd",
            "run_terminal_command",
            "run_terminal_command_v2",
        }
    ),
    writers=frozenset(
        {
            "Write",
            "write",
            "Edit",
            "edit",
            "StrReplace",
            "MultiEdit",
            "Delete",
            "EditNotebook",
            "ApplyPatch",
            "apply_patch",
        }
        | {
            "edit_file",
            "edit_file_v2",
            "search_replace",
            "multi_edit",
            "delete_file",
            "edit_notebook",
        }
    ),
)
_INJECTED = re.compile(
    r"\s*<(?:user_info|system_reminder|system-reminder|additional_data|attached_files|"
    r"open_and_recently|rules|project_layout)"
)
_OPENING, _CLOSING = "<user_query>", "</user_query>"
_TIMED = re.compile(r"\A<timestamp>[^<]*</timestamp>\s*")
_HIDDEN = "[REDACTED]"  # placeholder for reasoning
_ENDED = re.compile(r"^Exit code: (-?\d+)", re.MULTILINE)


def records(
    stamp: Record, message: Mapping[str, Any], called: dict[str, Record]
) -> Iterator[Record]:
    """Yield the records of a message; `called` contains the calls still without a result."""
    role, content = message.get("role"), message.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    if role == "user" and stamp.part is None and (text := prompt(toolcalls.joined(content))):
        yield replace(stamp, role=Role.PROMPT, text=said(text))
    for part in parts:
        if not isinstance(part, dict):
            continue
        kind = toolcalls.text_of(part, "type")
        text = toolcalls.text_of(part, "text") or ""
        if role == "assistant" and kind == "text" and (text := text.replace(_HIDDEN, "").strip()):
            yield replace(stamp, role=Role.REPLY, text=said(text))
        elif kind in {"tool_use", "tool-call"}:
            yield from _call(stamp, part, called)
        elif kind in {"tool_result", "tool-result"}:
            yield _result(stamp, part, called)


def prompt(text: str) -> str:
    """Return what the user typed, without the text Cursor sends along."""
    text, queries = _TIMED.sub("", text.strip(), count=1), list[str]()
    while text.startswith(_OPENING):  # text that Cursor adds after these can imitate a query
        query, _, rest = text.removeprefix(_OPENING).partition(_CLOSING)
        queries.append(query.strip())
        text = rest.strip()
    if queries:
        return "\n".join(queries).strip()
    if text.endswith(_CLOSING):  # text that Cursor adds before this query can imitate one, too
        return text.removesuffix(_CLOSING).rpartition(_OPENING)[2].strip()
    return "" if _INJECTED.match(text) else text


def _call(stamp: Record, part: Mapping[str, Any], called: dict[str, Record]) -> Iterator[Record]:
    tool = toolcalls.text_of(part, "name", "toolName")
    call_id = toolcalls.text_of(part, "id", "toolCallId")
    if tool:
        record = toolcalls.call(
            stamp, KIT, tool, toolcalls.arguments(part.get("input", part.get("args"))), call_id
        )
        if call_id:
            called[call_id] = record
        yield record


def _result(stamp: Record, part: Mapping[str, Any], called: dict[str, Record]) -> Record:
    call_id = toolcalls.text_of(part, "tool_use_id", "toolCallId")
    call = called.pop(call_id or "", None) or replace(
        stamp, call=call_id, tool=toolcalls.text_of(part, "toolName")
    )
    given = part.get("content", part.get("result"))
    output = toolcalls.joined(given) or (
        toolcalls.text_of(given, "output", "text", "error") if isinstance(given, dict) else ""
    )
    ended = _ENDED.search((output or "")[:200]) if call.command else None
    failed = part.get("is_error") is True or part.get("isError") is True
    return toolcalls.result(
        call, stamp, output or "", failed=failed, exit_code=int(ended[1]) if ended else None
    )
