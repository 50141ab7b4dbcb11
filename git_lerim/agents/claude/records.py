"""Convert one stored record of Claude Code to session records."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.claude import words
from git_lerim.agents.stored import milliseconds
from git_lerim.redaction.own_secrets.shown import lines_naming_secrets
from git_lerim.sessions.compact import failure, said
from git_lerim.sessions.session import Record, Role

_KIT = toolcalls.Kit(
    shells=frozenset({"Bash", "PowerShell"}),
    writers=frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"}),
)
_HELPERS = {"Task", "Agent"}
_EXIT_CODES = (2, 0, 37)  # since this version, the exit code precedes what a failing command prints
QUESTION = "AskUserQuestion"
_PLANS = {"ExitPlanMode", "exit_plan_mode"}
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")
_EXIT = re.compile(r"(?:Error: )?Exit code (\d+)")
_LAUNCHED = "Async agent launched"

# Pending tool calls: id → [[tool, does it commit, files, question, …], …]; ids can repeat.
Called = dict[str, list[list[Any]]]


def stamp(stored: dict[str, Any], n: int, part: str | None) -> Record:
    """Return a record with a stored record's time, place and ids, as a template for others."""
    cwd, branch, uuid = stored.get("cwd"), stored.get("gitBranch"), stored.get("uuid")
    return Record(
        n=n,
        role=Role.REPLY,
        at=milliseconds(stored.get("timestamp")),
        uuid=uuid if isinstance(uuid, str) else None,
        part=part or ("sidechain" if stored.get("isSidechain") else None),
        cwd=cwd if isinstance(cwd, str) and cwd else None,
        branch=branch if isinstance(branch, str) and branch not in {"", "HEAD"} else None,
    )


def replies(
    message: dict[str, Any], base: Record, called: Called, seen: dict[str, str]
) -> Iterator[Record]:
    """Yield the text and tool calls of an assistant record, skipping parts already in `seen`."""
    name = message.get("id")
    base = replace(base, message=name if isinstance(name, str) else None)
    content = message.get("content")
    for block in (
        [{"type": "text", "text": content}]
        if isinstance(content, str)
        else content
        if isinstance(content, list)
        else []
    ):
        if not isinstance(block, dict):
            continue
        match block:
            case {"type": "text", "text": str(text)} if text.strip():
                record = replace(base, text=said(text.strip()))
            case {"type": "tool_use", "name": str(tool)}:
                record = _call(block, tool, base)
            case _:
                continue
        key = mark(f"{base.message}\0{record.call}\0{record.text}")
        if base.message is None or key not in seen:
            seen[key] = base.message or ""
            if record.role is Role.CALL:
                commits = toolcalls.made_commits(record.command, "[a 0000000] ") != ()
                called.setdefault(record.call or "", []).append(
                    [record.tool, commits, list(record.files), *_questions(block.get("input"))]
                )
            yield record


def mark(text: str) -> str:
    """Return a short digest, to recognize a text without storing it in a bookmark."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


def _questions(given: Any) -> tuple[str, ...]:
    asked = given.get("questions") if isinstance(given, dict) else None
    each = (toolcalls.text_of(one, "question") for one in asked) if isinstance(asked, list) else ()
    return tuple(filter(None, each))


def _call(block: dict[str, Any], tool: str, base: Record) -> Record:
    given = block.get("input")
    call = block.get("id")
    return toolcalls.call(
        base,
        _KIT,
        tool,
        given if isinstance(given, dict) else {},
        call if isinstance(call, str) else None,
    )


def prompts(stored: dict[str, Any], message: dict[str, Any], base: Record) -> Iterator[Record]:
    """Yield the record of a user message's text, unless a program wrote it.

    The record is a prompt, a summary, a report, an interrupt or an approval.
    """
    text = words.texts(message.get("content"))
    if stored.get("isCompactSummary") or text.startswith(words.CONTINUED):
        yield replace(base, role=Role.SUMMARY, text=said(words.summary(text)))
        return
    if (
        base.part is not None
        or message.get("role") not in (None, "user")
        or stored.get("isMeta")
        or stored.get("isVisibleInTranscriptOnly")
    ):
        return  # a sub-agent's prompt comes from its parent
    if text.startswith(words.INTERRUPTED):
        yield replace(base, role=Role.INTERRUPT)
    elif text.lstrip().startswith(words.NOTIFIED):
        yield from reports(text, base)
    elif not _by_machine(stored) and (human := words.human(message.get("content"))):
        yield (
            _approved(stored, human, base)
            if human.startswith(words.PLAN)
            else replace(base, role=Role.PROMPT, text=said(human))
        )


def reports(text: str, base: Record) -> Iterator[Record]:
    """Yield a sub-agent's report from a task notification."""
    if found := words.report(text):
        yield replace(base, role=Role.REPORT, text=said(found))


def _by_machine(stored: dict[str, Any]) -> bool:
    origin = stored.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    return (
        kind not in (None, "human")
        or stored.get("promptSource") == "system"
        or bool(stored.get("sourceToolUseID"))
    )


def _approved(stored: dict[str, Any], text: str, base: Record) -> Record:
    plan = stored.get("planContent")
    return replace(
        base,
        role=Role.APPROVAL,
        text=said(plan if isinstance(plan, str) else text.removeprefix(words.PLAN).strip()),
    )


def results(
    stored: dict[str, Any], blocks: list[Any], base: Record, called: Called
) -> Iterator[Record]:
    """Yield the tool results of a user record, or what the user answered, approved or refused."""
    found = [
        block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_result"
    ]
    # with several results, it is unknown which one `toolUseResult` belongs to
    given = stored.get("toolUseResult") if len(found) == 1 else None
    for block in found:
        call = block.get("tool_use_id")
        call = call if isinstance(call, str) else None
        known = _first(called, call or "")
        own = replace(base, role=Role.RESULT, call=call, tool=known[0])
        yield from _result(stored, block, given if isinstance(given, dict) else {}, own, known)


def _first(called: Called, call: str) -> list[Any]:
    """Remove and return the first pending call with this id, or return an empty call."""
    waiting = called.get(call, [])
    known = waiting.pop(0) if waiting else [None, False, ()]
    if not waiting:
        called.pop(call, None)
    return known


def _result(
    stored: dict[str, Any],
    block: dict[str, Any],
    detail: dict[str, Any],
    own: Record,
    known: list[Any],
) -> Iterator[Record]:
    text = words.texts(block.get("content"))
    refused = block.get("is_error") is True and _is_the_clients(stored, own.tool or "")
    reason = words.refusal(text) if refused or own.tool in _PLANS else None
    if block.get("is_error") is True or reason is not None:
        if reason is None and stored.get("toolDenialKind") != "user-rejected":
            yield _failed(text, own)
        else:
            feedback = stored.get("userFeedback")
            yield replace(
                own,
                role=Role.REJECTION,
                text=said(reason or (feedback if isinstance(feedback, str) else "")),
            )
    elif own.tool == QUESTION and (answers := list(_answers(detail, text, own, known[3:]))):
        yield from answers
    elif own.tool in _PLANS and detail.get("isAgent") is not True:
        yield replace(own, role=Role.APPROVAL, text=said(_plan(detail, text)))
    elif (
        own.tool in _HELPERS
        and detail.get("isAsync") is not True
        and not text.startswith(_LAUNCHED)
    ):
        yield replace(own, role=Role.REPORT, text=said(words.finding(text)))
    else:
        yield _succeeded(detail, text, own, known)


def _is_the_clients(stored: dict[str, Any], tool: str) -> bool:
    """Return whether Claude Code itself wrote an error text, so that a refusal in it is genuine.

    Some tools' errors begin with the output of a program, a file or a server, which can imitate a
    refusal by the user. Where the result has fields, such as `stdout`, the tool ran.
    """
    if "toolDenialKind" in stored:
        return bool(stored["toolDenialKind"] == "user-rejected")
    if isinstance(stored.get("toolUseResult"), dict):
        return False
    version = stored.get("version")
    numbers = _VERSION.match(version) if isinstance(version, str) else None
    prefixed = numbers is not None and tuple(map(int, numbers.groups())) >= _EXIT_CODES
    return tool in _KIT.writers or tool == QUESTION or (prefixed and tool in _KIT.shells)


def _failed(text: str, own: Record) -> Record:
    code = _EXIT.match(text)
    return replace(own, failed=True, text=failure(text), exit_code=int(code[1]) if code else None)


def _succeeded(detail: dict[str, Any], text: str, own: Record, known: list[Any]) -> Record:
    _, commits, files, *_ = known
    path, code, output = detail.get("filePath"), detail.get("exitCode"), detail.get("stdout")
    found = (
        toolcalls.made_commits("git commit", output if isinstance(output, str) else text)
        if commits
        else ()
    )
    if isinstance(code, int) and code != 0:  # a background command has ended
        return replace(own, failed=True, exit_code=code, text=failure(text))
    return replace(
        own,
        output=lines_naming_secrets(text),
        files=(path,) if isinstance(path, str) and own.tool in _KIT.writers else tuple(files),
        exit_code=code if isinstance(code, int) else None,
        commits=found or _operated(detail),
    )


def _operated(detail: dict[str, Any]) -> tuple[str, ...]:
    match detail.get("gitOperation"):
        case {"commit": {"sha": str(sha)}}:
            return (sha,)
    return ()


def _plan(detail: dict[str, Any], text: str) -> str:
    plan = detail.get("plan")
    return plan if isinstance(plan, str) else words.approved(text)


def _answers(
    detail: dict[str, Any], text: str, own: Record, questions: list[str]
) -> Iterator[Record]:
    """Yield one answer for each question of an AskUserQuestion call."""
    given = detail.get("answers")
    given = given if isinstance(given, dict) else toolcalls.answered(text, questions)
    asked = detail.get("questions")
    offered = (
        {each.get("question"): each.get("options") for each in asked if isinstance(each, dict)}
        if isinstance(asked, list)
        else {}
    )
    notes = detail.get("annotations")
    for question, answer in given.items():
        chosen = ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
        note = notes.get(question) if isinstance(notes, dict) else None
        remark = note.get("notes") if isinstance(note, dict) else None
        yield replace(
            own,
            role=Role.ANSWER,
            question=question,
            options=toolcalls.options(offered.get(question)),
            text=said(f"{chosen}\n{remark}" if isinstance(remark, str) and remark else chosen),
        )
