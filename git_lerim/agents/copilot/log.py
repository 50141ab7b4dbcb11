"""Convert the event log of GitHub Copilot CLI to session records."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.stored import milliseconds
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

_KIT = toolcalls.Kit(
    shells=frozenset({"bash", "powershell", "shell"}),
    writers=frozenset({"edit", "create", "apply_patch", "str_replace_editor", "write"}),
)
# Tools whose result becomes a record that repeats the call's question or plan.
_QUOTED = frozenset({"ask_user", "exit_plan_mode"})
_ENDED = re.compile(r"exit code (-?\d+)>?\s*\Z")
_ANSWERED = re.compile(r"User (?:responded|selected): ")


@dataclass(slots=True)
class Log:
    """State collected while the events of one session are read in order."""

    id: str = ""
    header: Header = field(default_factory=Header)
    context: dict[str, str] = field(default_factory=dict)
    open: dict[str, Record] = field(default_factory=dict)  # calls that have no result yet
    last: str = ""  # digest of the last reply
    known: bool = False
    rewound: bool = False
    records: list[Record] = field(default_factory=list)

    @classmethod
    def restored(cls, state: dict[str, Any]) -> "Log":
        """Return a log that continues from the state in a bookmark."""
        return cls(
            id=state.get("id", ""),
            context=dict(state.get("context", {})),
            open=toolcalls.restored(state.get("open", {})),
            last=state.get("last", ""),
            known=bool(state),
        )

    def state(self, session: str) -> dict[str, Any]:
        """Return the state for the bookmark, from which the next reading continues."""
        return {
            "id": session,
            "context": self.context,
            "open": toolcalls.kept(self.open, _QUOTED),
            "last": self.last,
        }

    def stamp(self, n: int, event: dict[str, Any], data: dict[str, Any]) -> Record:
        """Return a record with the time, place and ids of an event, as a template for others."""
        return Record(
            n=n,
            role=Role.REPLY,
            at=milliseconds(event.get("timestamp")),
            uuid=toolcalls.text_of(event, "id"),
            part=toolcalls.text_of(event, "agentId") or toolcalls.text_of(data, "parentToolCallId"),
            cwd=self.context.get("cwd"),
            branch=self.context.get("branch"),
            commit=self.context.get("headCommit"),
        )

    def add(self, stamp: Record, role: Role, text: Any) -> None:
        """Add a record unless its text is blank."""
        if isinstance(text, str) and text.strip():
            self.records.append(replace(stamp, role=role, text=said(text.strip())))


def _start(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    log.id = log.id or toolcalls.text_of(data, "sessionId") or ""
    version = toolcalls.text_of(data, "copilotVersion") or ""
    model = toolcalls.text_of(data, "selectedModel") or ""
    log.header = replace(
        log.header, version=version or log.header.version, model=model or log.header.model
    )
    _context(log, stamp, data)
    log.header = replace(log.header, commit=log.context.get("headCommit", ""))


def _context(log: Log, _stamp: Record, data: dict[str, Any]) -> None:
    given = data.get("context", data)
    if not isinstance(given, dict):
        return
    fresh = {
        key: value
        for key in ("cwd", "branch", "headCommit")
        if (value := toolcalls.text_of(given, key))
    }
    if fresh.get("cwd", log.context.get("cwd")) != log.context.get("cwd"):
        log.context = {}  # branch and commit of the previous folder do not apply here
    log.context = log.context | fresh
    log.header = replace(
        log.header,
        remote=remote(given) or log.header.remote,
    )


def remote(context: dict[str, Any]) -> str:
    """Return the remote URL from the host and repository in a context or `workspace.yaml`."""
    repository = toolcalls.text_of(context, "repository") or ""
    if not repository or "://" in repository or "@" in repository:
        return repository
    return f"https://{toolcalls.text_of(context, 'repositoryHost') or 'github.com'}/{repository}"


def _user(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    # prompts typed by the user can have a `parentAgentTaskId`, too
    if not data.get("source") and not stamp.part:
        log.add(stamp, Role.PROMPT, data.get("content"))


def _assistant(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    stamp = replace(stamp, message=toolcalls.text_of(data, "messageId"))
    log.header = replace(log.header, model=toolcalls.text_of(data, "model") or log.header.model)
    text = toolcalls.text_of(data, "content")
    if text:
        log.add(stamp, Role.REPLY, text)
        log.last = _digest(text)
    requests = data.get("toolRequests")
    for request in requests if isinstance(requests, list) else []:
        if isinstance(request, dict):
            _call(
                log, stamp, request.get("toolCallId"), request.get("name"), request.get("arguments")
            )


def _started(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    if toolcalls.text_of(data, "toolCallId") not in log.open:
        _call(log, stamp, data.get("toolCallId"), data.get("toolName"), data.get("arguments"))


def _call(log: Log, stamp: Record, call_id: Any, tool: Any, given: Any) -> None:
    """Add the record of a call; keep the question or plan in it until the answer comes."""
    if not isinstance(call_id, str) or not isinstance(tool, str):
        return
    asked = toolcalls.arguments(given)
    record = toolcalls.call(stamp, _KIT, tool, asked, call_id)
    log.records.append(record)
    if tool == "ask_user":
        choices = asked.get("choices")
        options = tuple(str(choice) for choice in choices) if isinstance(choices, list) else ()
        record = replace(record, question=toolcalls.text_of(asked, "question"), options=options)
    elif tool == "exit_plan_mode":
        record = replace(record, text=toolcalls.text_of(asked, "summary", "plan") or "")
    log.open[call_id] = record


def _completed(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    call_id = data.get("toolCallId")
    called = log.open.pop(call_id, None) if isinstance(call_id, str) else None
    if called is None:
        called = replace(stamp, call=call_id if isinstance(call_id, str) else None)
    given = data.get("result") if isinstance(data.get("result"), dict) else data.get("error")
    given = given if isinstance(given, dict) else {}
    output = toolcalls.text_of(given, "content", "text_result_for_llm", "message") or ""
    failed = data.get("success") is False or given.get("result_type", "success") != "success"
    spoken = _spoken(stamp, called, output, failed=failed)
    ended = _ENDED.search(output[-200:]) if called.command else None
    log.records.append(
        spoken
        or toolcalls.result(
            called, stamp, output, failed=failed, exit_code=int(ended[1]) if ended else None
        )
    )


def _spoken(stamp: Record, called: Record, output: str, *, failed: bool) -> Record | None:
    """Return the record of what the user or a sub-agent said in a tool's result.

    The result is None for the output of an ordinary tool.
    """
    stamp = replace(stamp, call=called.call, tool=called.tool)
    answer = _ANSWERED.match(output)
    if called.tool == "ask_user" and answer:
        text = said(output[answer.end() :].strip())
        return replace(
            stamp, role=Role.ANSWER, text=text, question=called.question, options=called.options
        )
    if called.tool == "exit_plan_mode" and output.startswith("Plan approved"):
        return replace(stamp, role=Role.APPROVAL, text=said(called.text))
    if called.tool == "exit_plan_mode" and "reject" in output[:200].lower():
        return replace(stamp, role=Role.REJECTION, text=said(output.strip()))
    if called.tool == "task" and output and not failed:
        return replace(stamp, role=Role.REPORT, text=said(output.strip()))
    return None


def _permission(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    answer = data.get("result")
    if isinstance(answer, dict) and answer.get("kind") == "denied-interactively-by-user":
        call_id = toolcalls.text_of(data, "toolCallId")
        tool = log.open[call_id].tool if call_id in log.open else None
        text = said(toolcalls.text_of(answer, "feedback") or "")
        log.records.append(replace(stamp, role=Role.REJECTION, text=text, call=call_id, tool=tool))


def _task_complete(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    text = toolcalls.text_of(data, "summary")
    if text and _digest(text) != log.last:
        log.add(stamp, Role.REPLY, text)


def _compacted(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    log.add(stamp, Role.SUMMARY, data.get("summaryContent"))


def _abort(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    if str(data.get("reason", "user")).startswith("user"):
        log.records.append(replace(stamp, role=Role.INTERRUPT))


def _title(log: Log, _stamp: Record, data: dict[str, Any]) -> None:
    log.header = replace(log.header, title=toolcalls.text_of(data, "title") or log.header.title)


def _model(log: Log, _stamp: Record, data: dict[str, Any]) -> None:
    log.header = replace(log.header, model=toolcalls.text_of(data, "newModel") or log.header.model)


def _rewind(log: Log, stamp: Record, data: dict[str, Any]) -> None:
    """Mark the event that a rewind names, and all events after it, as abandoned."""
    log.rewound = True
    first = next(
        (record.n for record in log.records if record.uuid == data.get("upToEventId")), stamp.n
    )
    log.records = [
        replace(record, abandoned=True) if record.n >= first else record for record in log.records
    ]


_EVENTS: dict[str, Callable[[Log, Record, dict[str, Any]], None]] = {
    "session.start": _start,
    "session.resume": _context,
    "session.context_changed": _context,
    "session.title_changed": _title,
    "session.model_change": _model,
    "session.task_complete": _task_complete,
    "session.compaction_complete": _compacted,
    "session.snapshot_rewind": _rewind,
    "user.message": _user,
    "assistant.message": _assistant,
    "tool.execution_start": _started,
    "tool.execution_complete": _completed,
    "permission.completed": _permission,
    "abort": _abort,
}


def _digest(text: str) -> str:
    return hashlib.sha256(text.strip().encode("utf-8", "replace")).hexdigest()[:16]


def take_event(log: Log, n: int, event: dict[str, Any]) -> None:
    """Add the records of one line of the log; skip events without conversation."""
    kind, data = event.get("type"), event.get("data")
    if isinstance(kind, str) and isinstance(data, dict):
        log.known = True
        if kind in _EVENTS:
            _EVENTS[kind](log, log.stamp(n, event, data), data)


def take_message(log: Log, stamp: Record, message: dict[str, Any]) -> None:
    """Add the records of one message of a JSON document, the session format of 2025."""
    role, text = message.get("role"), toolcalls.joined(message.get("content"))
    if role == "user":
        log.add(stamp, Role.PROMPT, text)
    elif role == "assistant":
        log.add(stamp, Role.REPLY, text)
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                _call(log, stamp, call.get("id"), function.get("name"), function.get("arguments"))
    elif role == "tool":
        data = {"toolCallId": message.get("tool_call_id"), "result": {"content": text}}
        _completed(log, stamp, data)
