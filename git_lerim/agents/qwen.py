"""Read sessions of Qwen Code: `projects/<folder>/chats/<session>.jsonl`.

The files are append-only, with one record per line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import mcp_prompt, toolcalls
from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.lines import Lines
from git_lerim.agents.prompt_parts import text_below
from git_lerim.agents.stored import milliseconds, sources
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

NAME = "qwen"

_KIT = toolcalls.Kit(
    shells=frozenset({"run_shell_command"}), writers=frozenset({"edit", "write_file", "replace"})
)
_PATTERNS = ("projects/*/chats/*.jsonl", "chats/*.jsonl", "*.jsonl")
_ENDED = re.compile(r"^Exit Code: (-?\d+)\s*$", re.MULTILINE)
# Beginnings of text parts that the user did not type.
_MACHINE = (
    "<system-reminder>",
    "<lerim-memory",
    "&lt;lerim-memory",
)
_HUMAN = (None, "real_user")
_TYPED = (None, "mid_turn_user_message")


def roots(places: Places) -> list[Path]:
    """Return the folder of Qwen's sessions: the one `QWEN_RUNTIME_DIR` names, else `~/.qwen`."""
    named = places.env.get("QWEN_RUNTIME_DIR")
    return [Path(named) if named else places.home / ".qwen"]


def find(root: Path) -> Iterator[Source]:
    """Yield the session files below Qwen's folder."""
    return sources(NAME, root, _PATTERNS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a session since the bookmark."""
    lines = Lines(source.path, bookmark)
    chat = _Chat(id=lines.state.get("id", ""), open=toolcalls.restored(lines.state.get("open", {})))
    for n, line in lines:
        _take(chat, n, line)
    yield Reading(
        session=chat.id,
        header=chat.header,
        records=tuple(chat.records) if chat.id else (),
        restart=lines.restart,
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark({"id": chat.id, "open": toolcalls.kept(chat.open)}),
    )


@dataclass(slots=True)
class _Chat:
    """State collected while the records of one session are read in order."""

    id: str = ""
    open: dict[str, Record] = field(default_factory=dict)  # calls that have no result yet
    header: Header = field(default_factory=Header)
    records: list[Record] = field(default_factory=list)


def _take(chat: _Chat, n: int, line: dict[str, Any]) -> None:
    chat.id = chat.id or toolcalls.text_of(line, "sessionId") or ""
    own = toolcalls.text_of(line, "uuid")
    stamp = Record(
        n=n,
        role=Role.REPLY,
        at=milliseconds(line.get("timestamp")),
        uuid=own,
        message=own,
        cwd=toolcalls.text_of(line, "cwd"),
        branch=toolcalls.text_of(line, "gitBranch"),
    )
    kind, subtype = line.get("type"), line.get("subtype")
    parts = _parts(line)
    if (
        kind == "user"
        and line.get("provenance") in _HUMAN
        and subtype in _TYPED
        and not line.get("agentId")
    ):
        text, below = _typed(parts)
        if text:
            prompt = replace(stamp, role=Role.PROMPT, text=said(text), below=said(below))
            chat.records.append(prompt)
    elif kind == "assistant":
        _reply(chat, stamp, line, parts)
    elif kind == "tool_result":
        _result(chat, stamp, line, parts)
    elif kind == "system" and subtype == "custom_title":
        payload = line.get("systemPayload")
        title = (
            toolcalls.text_of(payload, "customTitle", "title")
            if isinstance(payload, dict)
            else None
        )
        chat.header = replace(chat.header, title=title or chat.header.title)


def _parts(line: dict[str, Any]) -> list[dict[str, Any]]:
    message = line.get("message")
    parts = message.get("parts") if isinstance(message, dict) else None
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _typed(parts: list[dict[str, Any]]) -> tuple[str, str]:
    """Return the user's own words, the first text that no hook or mention added, and what follows.

    If the text is the prompt of an MCP server, the user said nothing.
    """
    for number, part in enumerate(parts, 1):
        text = toolcalls.text_of(part, "text")
        if text and not text.lstrip().startswith(_MACHINE):
            if mcp_prompt.is_prompt(text):
                break
            return text.strip(), text_below(parts[number:])
    return "", ""


def _reply(chat: _Chat, stamp: Record, line: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    model, version = toolcalls.text_of(line, "model"), toolcalls.text_of(line, "version")
    chat.header = replace(
        chat.header, model=model or chat.header.model, version=version or chat.header.version
    )
    text = "\n".join(
        text
        for part in parts
        if not part.get("thought") and (text := toolcalls.text_of(part, "text"))
    )
    if text.strip():
        chat.records.append(replace(stamp, text=said(text.strip())))
    for part in parts:
        call = part.get("functionCall")
        name = toolcalls.text_of(call, "name") if isinstance(call, dict) else None
        if isinstance(call, dict) and name:
            call_id = toolcalls.text_of(call, "id")
            record = toolcalls.call(
                stamp, _KIT, name, toolcalls.arguments(call.get("args")), call_id
            )
            chat.records.append(record)
            if call_id:
                chat.open[call_id] = record


def _result(chat: _Chat, stamp: Record, line: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    result = line.get("toolCallResult")
    status = toolcalls.text_of(result, "status") if isinstance(result, dict) else None
    for part in parts:
        answer = part.get("functionResponse")
        response = answer.get("response") if isinstance(answer, dict) else None
        if not isinstance(answer, dict) or not isinstance(response, dict):
            continue
        call_id, tool = toolcalls.text_of(answer, "id"), toolcalls.text_of(answer, "name")
        called = (chat.open.pop(call_id, None) if call_id else None) or replace(
            stamp, call=call_id, tool=tool
        )
        output = toolcalls.text_of(response, "output", "error") or ""
        codes = _ENDED.findall(output[-300:]) if called.command else []
        failed = status in {"error", "cancelled"} or bool(toolcalls.text_of(response, "error"))
        record = toolcalls.result(
            called, stamp, output, failed=failed, exit_code=int(codes[-1]) if codes else None
        )
        chat.records.append(record)
