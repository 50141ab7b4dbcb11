"""Convert messages of the editor's chat (Cursor's bubbles) to session records."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.cursor.messages import KIT, prompt
from git_lerim.agents.cursor.places import local_path
from git_lerim.agents.stored import milliseconds
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Record, Role

_USER, _THINKING = 1, 30
_QUESTION = "ask_question"
_HELPERS = {"task", "task_v2"}
_REFUSABLE = KIT.shells | KIT.writers  # tools whose result the editor itself writes


def time_of(bubble: Mapping[str, Any]) -> int | None:
    """Return when a bubble was created, or None.

    Before late 2025, only the bubbles of the agent have a time.
    """
    timing = bubble.get("timingInfo")
    timing = timing if isinstance(timing, dict) else {}
    return milliseconds(bubble.get("createdAt")) or milliseconds(timing.get("clientStartTime"))


def records(stamp: Record, bubble: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the records of a bubble: the user's or agent's text, or a tool call and its result."""
    text = toolcalls.text_of(bubble, "text") or ""
    if bubble.get("type") == _USER:
        shown = bubble.get("isSimulated") or bubble.get("isDisplayOnly")  # added by the editor
        if stamp.part is None and not shown and (typed := prompt(text)):
            yield replace(stamp, role=Role.PROMPT, text=said(typed))
        return
    if text and bubble.get("capabilityType") != _THINKING and not bubble.get("isThought"):
        yield replace(stamp, role=Role.REPLY, text=said(text.strip()))
    former = bubble.get("toolFormerData")
    if isinstance(former, dict) and (tool := toolcalls.text_of(former, "name")):
        yield from _tool(stamp, tool, former)


def _tool(stamp: Record, tool: str, former: Mapping[str, Any]) -> Iterator[Record]:
    given = toolcalls.arguments(former.get("rawArgs")) | toolcalls.arguments(former.get("params"))
    gave = toolcalls.arguments(former.get("result"))
    stamp = replace(stamp, cwd=local_path(gave.get("resultingWorkingDirectory")) or stamp.cwd)
    called = toolcalls.call(stamp, KIT, tool, given, toolcalls.text_of(former, "toolCallId"))
    called = replace(called, files=tuple(local_path(file) or file for file in called.files))
    yield called
    status = toolcalls.text_of(former, "status")
    spoken = _spoken(replace(stamp, tool=tool, call=called.call), former, given, gave)
    if spoken:
        yield from spoken
    elif status in {"completed", "error", "cancelled"}:
        error = toolcalls.arguments(former.get("error"))
        failing = (
            toolcalls.text_of(
                error, "clientVisibleErrorMessage", "modelVisibleErrorMessage", "error", ""
            )
            or ""
        )
        codes = [toolcalls.code(gave.get(key)) for key in ("exitCodeV2", "exitCode")]
        yield toolcalls.result(
            called,
            stamp,
            failing or toolcalls.text_of(gave, "output", "") or "",
            failed=status != "completed",
            exit_code=(
                next((code for code in codes if code is not None), None) if called.command else None
            ),
        )


def _spoken(
    stamp: Record, former: Mapping[str, Any], given: Mapping[str, Any], gave: Mapping[str, Any]
) -> list[Record]:
    """Return the records of what the user or a sub-agent said in a tool's result."""
    tool = stamp.tool or ""
    if former.get("userDecision") == "rejected" or (
        tool in _REFUSABLE and gave.get("rejected") is True
    ):
        return [
            replace(
                stamp,
                role=Role.REJECTION,
                text=said(toolcalls.text_of(gave, "reason", "rejectionReason") or ""),
            )
        ]
    if tool == "create_plan" and former.get("userDecision") == "accepted":
        return [
            replace(
                stamp,
                role=Role.APPROVAL,
                text=said(toolcalls.text_of(given, "plan", "overview") or ""),
            )
        ]
    if tool == _QUESTION:
        return _answers(stamp, given, gave)
    if tool in _HELPERS and (
        report := toolcalls.text_of(gave, "result", "output", "content", "message", "text")
    ):
        return [replace(stamp, role=Role.REPORT, text=said(report.strip()))]
    return []


def _answers(stamp: Record, given: Mapping[str, Any], gave: Mapping[str, Any]) -> list[Record]:
    """Return a record for each answer, with the labels of the options that the user chose."""
    answers = gave.get("answers")
    by_id = {answer.get("questionId"): answer for answer in _dicts(answers)}
    found: list[Record] = []
    for number, question in enumerate(_dicts(given.get("questions"))):
        answer = by_id.get(question.get("id")) or dict(enumerate(_dicts(answers))).get(number, {})
        labels = {
            option.get("id"): toolcalls.text_of(option, "label") or ""
            for option in _dicts(question.get("options"))
        }
        chosen = answer.get("selectedOptionIds")
        picked = (
            [labels.get(each, str(each)) for each in chosen] if isinstance(chosen, list) else []
        )
        text = ", ".join(
            [*picked, *filter(None, [toolcalls.text_of(answer, "freeformText", "text")])]
        )
        if text:
            asked = toolcalls.text_of(question, "prompt", "question")
            found.append(
                replace(
                    stamp,
                    role=Role.ANSWER,
                    text=said(text),
                    question=asked,
                    options=tuple(labels.values()),
                )
            )
    return found


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
