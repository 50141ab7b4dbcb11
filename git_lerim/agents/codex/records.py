"""Convert one item of a Codex rollout to session records."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.codex import words
from git_lerim.agents.prose_of_edits import in_patch
from git_lerim.redaction.own_secrets.shown import lines_naming_secrets
from git_lerim.sessions.compact import failure, one_line, said
from git_lerim.sessions.session import Record, Role

_SHELLS = frozenset({"shell", "shell_command", "exec_command", "container.exec", "local_shell"})
_GO_ON = {"write_stdin", "wait"}  # tools that return more of an earlier command's output
_KIT = toolcalls.Kit(shells=_SHELLS, writers=frozenset({"apply_patch"}))
_PATCH = "*** Begin Patch"
_QUESTION = "request_user_input"
# The namespaces of Codex's own tools.
_OWN = {"", "functions", "collaboration", "multi_agent_v1", "web"}

# Pending tool calls as JSON values, by id; ids can repeat.
Called = dict[str, list[dict[str, Any]]]


def reply(payload: dict[str, Any], base: Record) -> Iterator[Record]:
    """Yield the record of the agent's reply, unless it is blank."""
    if text := words.texts(payload.get("content")).strip():
        name = payload.get("id")
        yield replace(
            base, role=Role.REPLY, text=said(text), message=name if isinstance(name, str) else None
        )


def report(payload: dict[str, Any], base: Record) -> Iterator[Record]:
    """Yield a sub-agent's final report."""
    text = words.texts(payload.get("content"))
    if text.startswith(words.FINAL) and (payload_text := text.partition("\nPayload:\n")[2].strip()):
        yield replace(base, role=Role.REPORT, text=said(payload_text))


def notification(text: str, base: Record) -> Iterator[Record]:
    """Yield a sub-agent's final report from a user message.

    Versions of Codex from early 2026 wrote reports as user messages.
    """
    told = toolcalls.arguments(
        text.removeprefix("<subagent_notification>")
        .partition("</subagent_notification>")[0]
        .strip()
    )
    status = told.get("status")
    done = status.get("completed") if isinstance(status, dict) else None
    if isinstance(done, str) and done.strip():
        yield replace(base, role=Role.REPORT, text=said(done.strip()))


def call(payload: dict[str, Any], kind: str, base: Record, called: Called) -> Iterator[Record]:
    """Yield the record of a tool call; store in `called` what is needed to read its result."""
    name, call_id = payload.get("name"), payload.get("call_id") or payload.get("id")
    tool = name if isinstance(name, str) else kind.removesuffix("_call")
    if is_foreign := not _is_own(payload.get("namespace")):  # an MCP tool can have any name
        tool = f"{payload['namespace']}.{tool}"
    call_id = call_id if isinstance(call_id, str) else None
    record = _call(payload, tool, base, call_id)
    commits = tool in _GO_ON or toolcalls.made_commits(record.command, "[a 0000000] ") != ()
    known: dict[str, Any] = {"tool": tool, "commits": commits, "files": list(record.files)}
    if tool == _QUESTION:
        known["questions"] = toolcalls.arguments(payload.get("arguments")).get("questions")
    if is_foreign:
        known["foreign"] = True
    if kind != "web_search_call":  # its result is not recorded
        called.setdefault(call_id or "", []).append(known)
    yield record


def _is_own(namespace: Any) -> bool:
    return namespace is None or (isinstance(namespace, str) and namespace in _OWN)


def _call(payload: dict[str, Any], tool: str, base: Record, call_id: str | None) -> Record:
    if tool == "exec" and isinstance(script := payload.get("input"), str):
        return _script(script, base, call_id)
    action = payload.get("action")
    given = (
        action
        if isinstance(action, dict)
        else toolcalls.arguments(payload.get("arguments") or payload.get("input") or {})
    )
    match given:
        case {"command": [str(shell), "-lc" | "-c", str(line)]} if "sh" in shell:
            given = {**given, "command": line}
        case {"command": ["apply_patch" | "applypatch" as tool, str(patch)]}:
            given = {"patch": patch}
    record = toolcalls.call(base, _KIT, tool, given, call_id)
    if record.command and _PATCH in record.command:
        patch = record.command
        return replace(record, files=toolcalls.patched(patch), prose=in_patch(patch))
    return record


def _script(script: str, base: Record, call_id: str | None) -> Record:
    """Return the record of a code-mode call: a script that runs commands and patches."""
    command = "\n".join(words.commands(script)) or None
    patch = script.replace("\\n", "\n").replace('\\"', '"') if _PATCH in script else ""
    files = toolcalls.patched(patch)
    subject = command or " ".join(files) or script
    return replace(
        base,
        role=Role.CALL,
        text=one_line("exec", subject),
        tool="exec",
        call=call_id,
        command=command,
        files=files,
        prose=in_patch(patch),
    )


def result(payload: dict[str, Any], base: Record, called: Called) -> Iterator[Record]:
    """Yield the record of a tool's result, of the user's answers, or of a refusal."""
    call_id = payload.get("call_id")
    call_id = call_id if isinstance(call_id, str) else None
    waiting = called.get(call_id or "", [])
    known = waiting.pop(0) if waiting else {}
    if not waiting:
        called.pop(call_id or "", None)
    own = replace(base, role=Role.RESULT, call=call_id, tool=known.get("tool"))
    text, code, failed = words.output(payload.get("output", ""))
    if own.tool == _QUESTION and (answers := list(_answers(known.get("questions"), text, own))):
        yield from answers
        return
    if not known.get("foreign") and words.rejected(text):
        yield replace(own, role=Role.REJECTION)
        return
    code = code if code is not None else known.get("exit_code")
    failed = failed or code not in {None, 0}
    commits = toolcalls.made_commits("git commit", text) if known.get("commits") else ()
    files = () if failed else tuple(known.get("files", ()))
    yield replace(
        own,
        failed=failed,
        exit_code=code,
        text=failure(text) if failed else "",
        output="" if failed else lines_naming_secrets(text),
        files=files,
        commits=commits,
    )


def _answers(questions: Any, text: str, own: Record) -> Iterator[Record]:
    """Yield one answer for each question that was asked."""
    answers = toolcalls.arguments(text).get("answers")
    if not isinstance(questions, list) or not isinstance(answers, dict):
        return
    for asked in questions:
        if not isinstance(asked, dict) or not isinstance(
            given := answers.get(asked.get("id")), dict
        ):
            continue
        chosen, offered = given.get("answers"), asked.get("options")
        if not isinstance(chosen, list) or not chosen:
            continue
        question = asked.get("question")
        yield replace(
            own,
            role=Role.ANSWER,
            text=said("\n".join(str(each).removeprefix("user_note: ") for each in chosen)),
            question=question if isinstance(question, str) else None,
            options=toolcalls.options(offered),
        )


def changed(
    call_id: Any, changes: Any, base: Record, called: Called, *, done: bool
) -> Iterator[Record]:
    """Store in a patch's call which files it wrote; without that call, yield a record of them."""
    files = [path for path in changes if isinstance(path, str)] if isinstance(changes, dict) else []
    if isinstance(call_id, str) and call_id in called:
        called[call_id][-1]["files"] = files if done else []
    elif done and files:
        call = call_id if isinstance(call_id, str) else None
        yield replace(base, role=Role.RESULT, tool="apply_patch", call=call, files=tuple(files))
