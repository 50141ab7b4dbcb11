"""The earlier sessions of a task, as Claude Code would have stored them."""

import json
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

from tasks import Session, Turn, utc

STEP = timedelta(seconds=40)  # from one record to the next


def write(session: Session, name: str, repository: Path, home: Path) -> Path:
    """Store a session of a repository in a home; return its file. The same name gives the same
    session.
    """
    id_ = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
    records = [
        record
        for number, turn in enumerate(session.turns)
        for record in _records(turn, f"{id_}-{number}", repository)
    ]
    path = home / ".claude" / "projects" / "-benchmark" / f"{id_}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines, before = [], None
    for number, (kind, content) in enumerate(records):
        message: dict[str, Any] = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"id": f"msg_{number}", "model": "claude"}
        stamp = (utc(session.date) + number * STEP).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        stored = {
            "parentUuid": before, "isSidechain": False, "cwd": str(repository), "sessionId": id_,
            "version": "2.1.330",
            "gitBranch": "main", "type": kind, "message": message, "uuid": f"{id_}-r{number}",
            "timestamp": stamp,
        }  # fmt: skip
        before = stored["uuid"]
        lines.append(json.dumps(stored))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _records(turn: Turn, id_: str, repository: Path) -> list[tuple[str, Any]]:
    """Return the records of a turn: who, and what."""
    if turn.user:
        return [("user", turn.user)]
    if turn.agent:
        return [("assistant", [{"type": "text", "text": turn.agent}])]
    if turn.command:
        output = f"Exit code {turn.exit}\n{turn.output}" if turn.exit else turn.output
        return _call(id_, "Bash", {"command": turn.command}, output, failed=turn.exit != 0)
    path = str(repository / turn.edit)
    if not turn.old:
        return _call(
            id_,
            "Write",
            {"file_path": path, "content": turn.new},
            f"File created successfully at: {path}",
        )
    change = {"file_path": path, "old_string": turn.old, "new_string": turn.new}
    return _call(id_, "Edit", change, f"The file {path} has been updated.")


def _call(
    id_: str, tool: str, given: dict[str, Any], answer: str, *, failed: bool = False
) -> list[tuple[str, Any]]:
    result = {
        "type": "tool_result",
        "tool_use_id": f"toolu_{id_}",
        "content": answer,
        "is_error": failed,
    }
    return [
        ("assistant", [{"type": "tool_use", "id": f"toolu_{id_}", "name": tool, "input": given}]),
        ("user", [result]),
    ]
