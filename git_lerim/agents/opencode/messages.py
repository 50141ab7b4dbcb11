"""Convert messages of OpenCode to session records.

The messages have the same form in its database, files and exports.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.stored import milliseconds
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

_KIT = toolcalls.Kit(
    shells=frozenset({"bash", "shell"}),
    writers=frozenset({"edit", "write", "apply_patch", "patch", "multiedit"}),
)
_OWN_TOOLS = {
    "bash", "shell", "edit", "write", "apply_patch", "patch", "multiedit", "read", "grep", "glob",
    "list", "task", "todowrite",
    "todoread", "question", "plan_exit", "lsp", "skill",
}  # fmt: skip
_OBJECT_ID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
# How `opencode run` stores an argument with a space in it.
_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_REJECTED = re.compile(
    r"(?:Error: )?(?:The )?user (?:has )?rejected permission to use this specific tool call"
    r"(?: with the following feedback: (.*))?",
    re.DOTALL | re.IGNORECASE,
)
_GENERATED = re.compile(r"(?:^|[/\\])(?:__pycache__|node_modules|\.git)[/\\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message as OpenCode stores it, with its parts in order."""

    n: int
    id: str
    info: Mapping[str, Any]
    parts: Iterable[tuple[str, Mapping[str, Any]]]  # with their ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The facts about a session that are needed to read its messages."""

    directory: str | None = None
    part: str | None = None  # a sub-agent's own session id
    revert: Mapping[str, Any] | None = None  # what the user reverted to
    alone: bool = False  # `opencode run`: no user could have rejected a tool


def header(session: Mapping[str, Any], model: str = "") -> Header:
    """Return a header with a session's title, version and project, and with its model."""
    project = str(session.get("project_id") or session.get("projectID") or "")
    return Header(
        title=toolcalls.text_of(session, "title") or "",
        version=toolcalls.text_of(session, "version") or "",
        model=model,
        root_commit=project if _OBJECT_ID.match(project) else "",
    )


def unattended(session: Mapping[str, Any]) -> bool:
    """Return whether a session is not allowed to ask the user questions, as with `opencode run`."""
    rules = session.get("permission")
    if isinstance(rules, str):
        rules = toolcalls.arguments(f'{{"rules": {rules}}}').get("rules")
    listed = rules if isinstance(rules, list) else []
    return any(
        isinstance(rule, dict)
        and (rule.get("permission"), rule.get("action")) == ("question", "deny")
        for rule in listed
    )


def model_of(message: Message) -> str:
    """Return the name of the model that wrote a message, or an empty string."""
    return toolcalls.text_of(message.info, "modelID") or ""


def records(message: Message, place: Place) -> Iterator[Record]:
    """Yield the records of a message: the user's typed text, or the agent's text and calls."""
    time = message.info.get("time")
    path = message.info.get("path")
    stamp = Record(
        n=message.n,
        role=Role.REPLY,
        at=milliseconds(time.get("created")) if isinstance(time, dict) else None,
        uuid=message.id,
        message=message.id,
        part=place.part,
        cwd=(toolcalls.text_of(path, "cwd") if isinstance(path, dict) else None) or place.directory,
    )
    if message.info.get("role") == "user":
        if not place.part:
            yield from _prompt(stamp, message)
    elif message.info.get("role") == "assistant":
        yield from _turn(stamp, message, place)


def _prompt(stamp: Record, message: Message) -> Iterator[Record]:
    texts = [
        _unquoted(part["text"])
        for _, part in message.parts
        if part.get("type") == "text"
        and isinstance(part.get("text"), str)
        and not part.get("synthetic")
        and not part.get("ignored")
    ]
    if text := "\n".join(texts).strip():
        yield replace(stamp, role=Role.PROMPT, text=said(text))


def _unquoted(text: str) -> str:
    quoted = _QUOTED.fullmatch(text.strip())
    return quoted[1].replace('\\"', '"') if quoted else text


def _turn(stamp: Record, message: Message, place: Place) -> Iterator[Record]:
    role = Role.SUMMARY if message.info.get("summary") is True else Role.REPLY
    back = str((place.revert or {}).get("partID") or "")
    undone = message.id == (place.revert or {}).get("messageID")
    for part_id, part in message.parts:
        here = replace(stamp, abandoned=True) if undone and part_id >= back else stamp
        kind = part.get("type")
        text = toolcalls.text_of(part, "text")
        if kind == "text" and text and not part.get("ignored") and not part.get("synthetic"):
            yield replace(here, role=role, text=said(text.strip()))
        elif kind == "tool":
            yield from _tool(here, part, alone=place.alone)
        elif kind == "patch" and (files := _touched(part.get("files"))):
            yield replace(here, role=Role.RESULT, tool="patch", files=files, uuid=part_id)
    error = message.info.get("error")
    if isinstance(error, dict) and error.get("name") == "MessageAbortedError":
        yield replace(stamp, role=Role.INTERRUPT)


def _touched(files: Any) -> tuple[str, ...]:
    named = files if isinstance(files, list) else []
    return tuple(file for file in named if isinstance(file, str) and not _GENERATED.search(file))


def _tool(stamp: Record, part: Mapping[str, Any], *, alone: bool) -> Iterator[Record]:
    tool, state = part.get("tool"), part.get("state")
    if not isinstance(tool, str) or not isinstance(state, dict):
        return
    time = state.get("time")
    time = time if isinstance(time, dict) else {}
    given = toolcalls.arguments(state.get("input"))
    stamp = replace(stamp, at=milliseconds(time.get("start")) or stamp.at)
    called = toolcalls.call(stamp, _KIT, tool, given, toolcalls.text_of(part, "callID"))
    yield called
    stamp = replace(
        stamp, at=milliseconds(time.get("end")) or stamp.at, tool=tool, call=called.call
    )
    if state.get("status") == "completed":
        yield from _completed(stamp, called, given, state)
    elif state.get("status") == "error":
        error = toolcalls.text_of(state, "error") or ""
        rejected = _REJECTED.match(error)  # only at the start: later it could be text of a file
        # an MCP tool's error is text of another program
        if rejected and not alone and tool in _OWN_TOOLS:
            yield replace(stamp, role=Role.REJECTION, text=said((rejected[1] or "").strip()))
        else:
            yield toolcalls.result(called, stamp, error, failed=True)


def _completed(
    stamp: Record, called: Record, given: Mapping[str, Any], state: Mapping[str, Any]
) -> Iterator[Record]:
    output = toolcalls.text_of(state, "output") or ""
    metadata = state.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    if called.tool == "question" and isinstance(given.get("questions"), list):
        yield from _answers(stamp, given["questions"], metadata.get("answers"), output)
    elif called.tool == "plan_exit":
        yield replace(stamp, role=Role.APPROVAL)
    elif called.tool == "task" and output:
        report = toolcalls.between(output, "<task_result>", "</task_result>")
        yield replace(
            stamp,
            role=Role.REPORT,
            text=said(report[0] if report else output.partition("<task_metadata>")[0].strip()),
        )
    else:
        exit_code = toolcalls.code(metadata.get("exit")) if called.command else None
        yield toolcalls.result(called, stamp, output, failed=False, exit_code=exit_code)


def _answers(stamp: Record, questions: list[Any], answers: Any, output: str) -> Iterator[Record]:
    """Yield one answer for each question.

    In older versions of OpenCode, the answers are only in the output of the tool.
    """
    texts = [toolcalls.text_of(each, "question") for each in questions if isinstance(each, dict)]
    printed = toolcalls.answered(output, filter(None, texts))
    for number, asked in enumerate(questions):
        if not isinstance(asked, dict):
            continue
        question = toolcalls.text_of(asked, "question")
        chosen = answers[number] if isinstance(answers, list) and number < len(answers) else None
        text = (
            ", ".join(str(each) for each in chosen)
            if isinstance(chosen, list)
            else printed.get(question or "")
        )
        if text:
            yield replace(
                stamp,
                role=Role.ANSWER,
                text=said(text),
                question=question,
                options=toolcalls.options(asked.get("options")),
            )
