"""Convert messages of Gemini CLI, which are the same in logs and documents, to session records."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import mcp_prompt, toolcalls
from git_lerim.agents.prompt_parts import text_below
from git_lerim.agents.stored import milliseconds
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Record, Role

_KIT = toolcalls.Kit(
    shells=frozenset({"run_shell_command"}), writers=frozenset({"write_file", "replace", "edit"})
)
# Context added by hooks (also ours) at the start of a session; it can contain the closing tag.
_HOOKED = re.compile(r"\A\s*<hook_context>(?:.*</hook_context>\s*|.*)", re.DOTALL)
_SERVERS_BELOW = re.compile(rf"</hook_context>{mcp_prompt.STRING}\Z")
# A command that the user ran with `!`, and its output, which can contain the closing fence.
_RAN = re.compile(
    r"\A\s*I ran the following shell command:\n```sh\n.*?\n```\n\n"
    r"This produced the following result:\n```\n(?:.*\n```[ \t]*(?:\n|\Z)|.*)",
    re.DOTALL,
)
_INJECTED = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context",
    "System: Please continue.",
)
_REFERENCED = "--- Content from referenced files ---"
_WRAPPER = re.compile(r"</?untrusted_context>\n?")
_ENDED = re.compile(r"^Exit Code: (-?\d+)\s*$", re.MULTILINE)
_DENIED = re.compile(r"Reason: User (?:denied|did not allow)")
_FEEDBACK = re.compile(r"User feedback: \"?(.*?)\"?(?:\n|\Z)", re.DOTALL)
_FINISHED = re.compile(r"\ASubagent .*?\nResult:\n", re.DOTALL)


def stamp_of(n: int, message: Mapping[str, Any], part: str | None, cwd: str | None) -> Record:
    """Return a record with the time, place and ids of a message, as a template for others."""
    own = toolcalls.text_of(message, "id")
    return Record(
        n=n,
        role=Role.REPLY,
        at=milliseconds(message.get("timestamp")),
        uuid=own,
        message=own,
        part=part,
        cwd=cwd,
    )


def words(stamp: Record, message: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the record of a message's text: a prompt, a reply or an interrupt."""
    kind, text = message.get("type"), ""
    if kind == "user" and stamp.part is None:
        shown = _typed(message.get("displayContent"))
        text, below = shown if shown[0] else _typed(message.get("content"))
        if text and not text.startswith(_INJECTED):
            yield replace(stamp, role=Role.PROMPT, text=said(text), below=said(below))
    elif kind == "gemini":
        text = toolcalls.joined(message.get("content")).strip()
        if text:
            yield replace(stamp, role=Role.REPLY, text=said(text))
    elif kind == "info" and toolcalls.joined(message.get("content")).startswith(
        "Request cancelled"
    ):
        yield replace(stamp, role=Role.INTERRUPT)


def _typed(content: Any) -> tuple[str, str]:
    """Return the text that the user typed, the first part of a prompt, and the text below it.

    Later parts are the text of hooks and of files that the prompt mentions, or the rest of a
    command. What the user ran in the shell is no prompt, and neither is the prompt of an MCP
    server.
    """
    parts = content if isinstance(content, list) else [content]
    for number, part in enumerate(parts, 1):
        text = toolcalls.text_of(part, "text") if isinstance(part, dict) else part
        if not isinstance(text, str):
            continue
        if _is_a_servers(text):
            return "", ""
        text, files, _ = _RAN.sub("", _HOOKED.sub("", text)).partition(_REFERENCED)
        if files or text.strip():
            return text.strip(), "" if files else text_below(parts[number:])
    return "", ""


def _is_a_servers(text: str) -> bool:
    """Return whether a text is an MCP server's prompt, perhaps after context added by hooks.

    The closing tag of that context can also occur in the prompt.
    """
    below = _HOOKED.match(text) is not None and _SERVERS_BELOW.search(text) is not None
    return below or mcp_prompt.is_prompt(text)


def calls_in(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tool calls of a message."""
    calls = message.get("toolCalls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def called(stamp: Record, call: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the record of a tool call, and the records of its result."""
    tool = toolcalls.text_of(call, "name")
    if not tool:
        return
    given = toolcalls.arguments(call.get("args"))
    record = toolcalls.call(stamp, _KIT, tool, given, toolcalls.text_of(call, "id"))
    yield record
    output, status = _output(call), toolcalls.text_of(call, "status")
    stamp = replace(
        stamp, at=milliseconds(call.get("timestamp")) or stamp.at, call=record.call, tool=tool
    )
    if status is None and not output:
        return
    if spoken := _spoken(stamp, call, given, output):
        yield from spoken
        return
    codes = _ENDED.findall(output[-300:]) if record.command else []
    exit_code = int(codes[-1]) if codes else None
    yield toolcalls.result(
        record, stamp, output, failed=status in {"error", "cancelled"}, exit_code=exit_code
    )


def _output(call: Mapping[str, Any]) -> str:
    """Return the output of a call in the form that the model received."""
    results = call.get("result")
    for result in results if isinstance(results, list) else []:
        answer = result.get("functionResponse") if isinstance(result, dict) else None
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict) and (text := toolcalls.text_of(response, "output", "error")):
            return _WRAPPER.sub("", text).removeprefix("Output: ").strip()
    display = call.get("resultDisplay")
    return display if isinstance(display, str) else ""


def _spoken(
    stamp: Record, call: Mapping[str, Any], given: Mapping[str, Any], output: str
) -> list[Record]:
    """Return the records of what the user or a sub-agent said in a tool's result."""
    status = toolcalls.text_of(call, "status")
    if status == "cancelled" and _DENIED.search(output):
        return [replace(stamp, role=Role.REJECTION)]
    own = stamp.tool if _is_built_in(call) else None
    if own == "ask_user" and status == "success":
        return _answers(stamp, given, toolcalls.arguments(output).get("answers"))
    if own == "exit_plan_mode" and output.startswith("Plan approved"):
        return [replace(stamp, role=Role.APPROVAL)]
    if own == "exit_plan_mode" and output.startswith("Plan rejected"):
        feedback = _FEEDBACK.search(output)
        return [
            replace(stamp, role=Role.REJECTION, text=said(feedback[1].strip()) if feedback else "")
        ]
    if status == "success" and output and (call.get("agentId") or stamp.tool == "invoke_agent"):
        return [replace(stamp, role=Role.REPORT, text=said(_FINISHED.sub("", output)))]
    return []


def _is_built_in(call: Mapping[str, Any]) -> bool:
    """Return whether nothing says that a call's tool is not the built-in one of its name.

    A tool of an MCP server can be called `ask_user`, too, but it is shown as
    `ask_user (docs MCP Server)`, and the built-in one as `Ask User`.
    """
    shown, name = call.get("displayName"), toolcalls.text_of(call, "name") or ""
    return shown is None or str(shown).replace(" ", "").lower() == name.replace("_", "")


def _answers(stamp: Record, given: Mapping[str, Any], answers: Any) -> list[Record]:
    """Return a record for each answer; the keys of `answers` are numbers of questions."""
    asked = given.get("questions")
    found: list[Record] = []
    for number, question in enumerate(asked if isinstance(asked, list) else [given]):
        answer = answers.get(str(number)) if isinstance(answers, dict) else None
        if not isinstance(question, dict) or not isinstance(answer, str) or not answer:
            continue
        found.append(
            replace(
                stamp,
                role=Role.ANSWER,
                text=said(answer),
                question=toolcalls.text_of(question, "question"),
                options=toolcalls.options(question.get("options")),
            )
        )
    return found
