"""Read sessions of Cline, the VS Code extension: one folder per task, with its chat.

The chat is in `ui_messages.json`. The file is rewritten with each message, so it is always read
whole. The file with the model's history, in the same folder, mixes the user's words with Cline's,
so it is only used to find the task's working folder.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.lines import ODD, WARNING_LIMIT, objects
from git_lerim.agents.stored import milliseconds, read_bytes, sources, unchanged, whole
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

NAME = "cline"

_EXTENSION = ("User", "globalStorage", "saoudrizwan.claude-dev")
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")
_KIT = toolcalls.Kit(
    shells=frozenset({"command"}),
    writers=frozenset({"editedExistingFile", "newFileCreated", "fileDeleted"}),
)
_FOLDER = re.compile(
    r"^# Current (?:Working|Workspace) Directory \(((?:/|[A-Za-z]:[\\/]|\\\\).*?)\)(?: Files)?$",
    re.MULTILINE,
)
_RESULT = re.compile(r"\A\[\w+(?: for '.*?')?\] Result:\s*", re.DOTALL)
_HANDED_WITHIN = 7 * 24 * 3_600_000  # milliseconds from a handoff to the task that it begins
_DENIED = "The user denied this operation."
_FAILED = "The tool execution failed with the following error:"


def roots(places: Places) -> list[Path]:
    """Return the extension's folder in each known editor, and the folder of Cline's CLI."""
    home, config = places.home, Path(places.env.get("XDG_CONFIG_HOME") or places.home / ".config")
    if places.platform == "darwin":
        config = home / "Library" / "Application Support"
    elif places.platform == "win32":
        config = Path(places.env.get("APPDATA") or home / "AppData" / "Roaming")
    own = Path(places.env.get("CLINE_DIR") or home / ".cline") / "data"
    return [
        *(config.joinpath(editor, *_EXTENSION) for editor in _EDITORS),
        *(home.joinpath(server, "data", *_EXTENSION) for server in _SERVERS),
        Path(places.env.get("CLINE_DATA_DIR") or own),
    ]


def find(root: Path) -> Iterator[Source]:
    """Yield the message file of each task."""
    yield from sources(NAME, root, ("tasks/*/ui_messages.json",))


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield the whole task if its file changed.

    If the file is not a list of messages, yield a warning; earlier records are kept.
    """
    if unchanged(source, bookmark):
        yield Reading(session="", bookmark=whole(source))
        return
    messages = _listed(read_bytes(source.path))
    if messages is None:
        warning = f"{source.path}: not a complete list of messages, left out"
        yield Reading(session="", warnings=(warning,), bookmark=whole(source))
        return
    task = _Task(source.path)
    for n, message in enumerate(messages, 1):
        task.take(n, message, last=n == len(messages))
    cwd = task.cwd or _folder_beside(source.path)
    yield Reading(
        session=source.path.parent.name,
        header=Header(model=task.model),
        records=tuple(replace(record, cwd=cwd) for record in task.records),
        restart=True,
        stored=len(messages),
        warnings=task.warnings(),
        bookmark=whole(source),
    )


@dataclass(slots=True)
class _Task:
    """State collected while the messages of one task are read in order."""

    path: Path
    cwd: str | None = None
    model: str = ""
    asked: dict[str, Any] | None = None  # the question that the user's next message answers
    called: list[Record] = field(default_factory=list)  # calls since the last request to the model
    records: list[Record] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)

    def take(self, n: int, message: Any, *, last: bool) -> None:
        """Add one message; if it is malformed, record its number in `lost`."""
        try:
            # a partial last message is still being written: leave it to the next reading
            if not (last and message.get("partial")):
                self.records += self._records(n, message)
        except ODD:
            self.lost.append(n)

    def warnings(self) -> tuple[str, ...]:
        """Return a warning for each lost message."""
        named = [
            f"{self.path}, message {n}: not understood, left out" for n in self.lost[:WARNING_LIMIT]
        ]
        more = len(self.lost) - WARNING_LIMIT
        return (
            *named,
            *([f"{self.path}: {more} more messages could not be read"] if more > 0 else []),
        )

    def _records(self, n: int, message: dict[str, Any]) -> list[Record]:
        """Return the records of one message, and update the state that later messages need."""
        kind, text = message.get("say") or message["ask"], message.get("text") or ""
        if not isinstance(kind, str) or not isinstance(text, str):
            raise TypeError(kind)
        model = message.get("modelInfo")
        self.model = (
            toolcalls.text_of(model, "modelId") if isinstance(model, dict) else None
        ) or self.model
        stamp = Record(n=n, role=Role.REPLY, at=milliseconds(message.get("ts")))
        if kind in {"tool", "command"}:
            return self._call(stamp, kind, text)
        if kind == "api_req_started":
            return self._request(stamp, toolcalls.arguments(text))
        if message.get("ask"):
            return self._ask(stamp, kind, toolcalls.arguments(text))
        return self._said(stamp, kind, text.strip())

    def _said(self, stamp: Record, kind: str, text: str) -> list[Record]:
        """Return a message's text as a record of the user (the task, feedback) or of the agent."""
        if kind == "task" or (kind == "text" and stamp.n == 1):
            role = Role.SUMMARY if _is_handed_over(self.path, stamp, text) else Role.PROMPT
            return [replace(stamp, role=role, text=said(text))] if text else []
        if kind == "user_feedback":
            asked, self.asked = self.asked, None
            if not text:
                return []
            return [
                (
                    _answer(stamp, asked, text)
                    if asked
                    else replace(stamp, role=Role.PROMPT, text=said(text))
                )
            ]
        return (
            [replace(stamp, text=said(text))]
            if text and kind in {"text", "completion_result"}
            else []
        )

    def _ask(self, stamp: Record, kind: str, given: dict[str, Any]) -> list[Record]:
        """Return the records of a question to the user: a plan's text, and the option chosen."""
        self.asked = given if kind == "followup" and toolcalls.text_of(given, "question") else None
        found = []
        if kind == "plan_mode_respond" and (plan := toolcalls.text_of(given, "response")):
            found.append(replace(stamp, text=said(plan)))
        if kind in {"followup", "plan_mode_respond"} and (
            picked := toolcalls.text_of(given, "selected")
        ):
            found.append(_answer(stamp, given, picked))
            self.asked = None
        return found

    def _call(self, stamp: Record, kind: str, text: str) -> list[Record]:
        """Return the record of a tool call; for a command, `text` is the command itself."""
        given = {"command": text} if kind == "command" else toolcalls.arguments(text)
        tool = kind if kind == "command" else toolcalls.text_of(given, "tool")
        if not tool or not text.strip():
            return []
        self.called.append(toolcalls.call(stamp, _KIT, tool, given, str(stamp.n)))
        return self.called[-1:]

    def _request(self, stamp: Record, given: dict[str, Any]) -> list[Record]:
        """Return the records in a request to the model: a tool's result, and an interrupt.

        A result does not name its call, so it is used only if there was a single call.
        """
        request, called = toolcalls.text_of(given, "request") or "", self.called
        self.called, self.asked = [], None
        self.cwd = self.cwd or _folder(request)
        found = _result(called[0], stamp, request) if len(called) == 1 else []
        stopped = given.get("cancelReason") == "user_cancelled"
        return [*found, *([replace(stamp, role=Role.INTERRUPT)] if stopped else [])]


def _is_handed_over(path: Path, begun: Record, text: str) -> bool:
    """Return whether an earlier task of the agent began this one with the tool `new_task`.

    The only sign is the task's first message, which is the context given to the tool.
    """
    for other in path.parents[1].glob("*/ui_messages.json"):
        try:
            stat = other.stat()
        except OSError:
            continue
        if (
            stat.st_mtime_ns // 1_000_000 >= (begun.at or 0) - _HANDED_WITHIN
            and _number(other) < _number(path)
            and text in _handed_over(other, stat.st_mtime_ns, stat.st_size)
        ):
            return True
    return False


def _number(path: Path) -> int:
    """Return the number of a task, which says when it began."""
    name = path.parent.name
    return int(name) if name.isascii() and name.isdigit() else 0


@lru_cache(maxsize=512)
def _handed_over(path: Path, modified: int, size: int) -> frozenset[str]:  # noqa: ARG001
    """Return the contexts that a task gave to new tasks; cached by the file's time and size."""
    data = _quietly(path)
    messages = _listed(data) if b'"new_task"' in data else None
    return frozenset(
        message["text"].strip()
        for message in messages or []
        if isinstance(message, dict)
        and message.get("ask") == "new_task"
        and isinstance(message.get("text"), str)
    )


def _answer(stamp: Record, asked: dict[str, Any], text: str) -> Record:
    question, offered = (
        toolcalls.text_of(asked, "question"),
        toolcalls.options(asked.get("options")),
    )
    return replace(stamp, role=Role.ANSWER, text=said(text), question=question, options=offered)


def _result(called: Record, stamp: Record, request: str) -> list[Record]:
    """Return the record of a call's result, or an empty list if the result is unknown.

    Cline stores no exit code, so only a commit proves that a command succeeded.
    """
    begun = _RESULT.match(request)
    if not begun:
        return []
    output = (
        request[begun.end() :].rpartition("<environment_details>")[0].strip()
        or request[begun.end() :].strip()
    )
    if output.startswith(_DENIED):
        return [replace(stamp, role=Role.REJECTION, tool=called.tool, call=called.call)]
    result = toolcalls.result(called, stamp, output, failed=output.startswith(_FAILED))
    return [result] if result.failed or result.commits or not called.command else []


def _folder(request: str) -> str | None:
    """Return the task's working folder from Cline's environment details in a request."""
    found = (
        _FOLDER.search(request.rpartition("<environment_details>")[2])
        if "<environment_details>" in request
        else None
    )
    return found[1] if found else None


def _folder_beside(path: Path) -> str | None:
    """Return the task's working folder from the model's history, else from the task list.

    The result is None if neither names the folder.
    """
    for message in _listed(_quietly(path.with_name("api_conversation_history.json"))) or []:
        if isinstance(message, dict) and (
            found := _folder(toolcalls.joined(message.get("content")))
        ):
            return found
    for task in _listed(_quietly(path.parents[2] / "state" / "taskHistory.json")) or []:
        if isinstance(task, dict) and task.get("id") == path.parent.name:
            return toolcalls.text_of(task, "cwdOnTaskInitialization")
    return None


def _listed(data: bytes) -> list[Any] | None:
    """Return the items of a JSON list, or None if the data is no list or is truncated."""
    found, understood = objects(b'{"":' + data.removeprefix(b"\xef\xbb\xbf") + b"}")
    listed = found[0].get("") if found and understood else None
    return listed if isinstance(listed, list) else None


def _quietly(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
