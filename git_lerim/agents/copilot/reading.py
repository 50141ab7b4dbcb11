"""Read sessions of GitHub Copilot CLI, in its current and its older formats.

A session is in `session-state/<id>/events.jsonl`. Older formats are `session-state/<id>.jsonl` and
the JSON documents of 2025.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.copilot.log import Log, remote, take_event, take_message
from git_lerim.agents.lines import Lines, objects
from git_lerim.agents.stored import milliseconds, read_bytes, sources, unchanged, whole
from git_lerim.sessions.session import Header, Record, Role

NAME = "copilot"

_PATTERNS = (
    "session-state/*/events.jsonl",
    "session-state/*.jsonl",
    "history-session-state/*.json",
    *("*/events.jsonl", "events.jsonl"),
)
_NOISE = tuple(
    f'{{"type":"{kind}'.encode()
    for kind in (
        "hook.",
        "assistant.turn_",
        "assistant.reasoning",
        "permission.requested",
        "system.",
        "skill.",
    )
)
_WORKSPACE_LIMIT = 65_536


def roots(places: Places) -> list[Path]:
    """Return Copilot CLI's home folders: those in its environment variables, else `~/.copilot`."""
    named = [places.env[key] for key in ("COPILOT_HOME", "COPILOT_CLI_HOME") if places.env.get(key)]
    found = [Path(name) for name in named] or [places.home / ".copilot"]
    state = places.env.get("XDG_STATE_HOME")
    return [*found, Path(state) / ".copilot"] if state and not named else found


def find(root: Path) -> Iterator[Source]:
    """Yield the event logs and old documents below Copilot CLI's home."""
    return sources(NAME, root, _PATTERNS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a session since the bookmark.

    After a rewind, yield the whole session, with the abandoned part marked.
    """
    if source.path.suffix == ".json":
        kept = Reading(session="", bookmark=whole(source))
        yield kept if unchanged(source, bookmark) else _read_document(source)
        return
    lines = Lines(source.path, bookmark, skip=lambda line: line.startswith(_NOISE))
    again = lines.restart
    log = _taken(lines)
    if log.rewound and lines.state:
        lines, again = Lines(source.path, skip=lambda line: line.startswith(_NOISE)), True
        log = _taken(lines)
    session = log.id or (_named(source.path) if log.known else "")
    header, place = _workspace(source.path)
    log.header = replace(
        log.header,
        title=header.title or log.header.title,
        remote=log.header.remote or header.remote,
    )
    yield Reading(
        session=session,
        header=log.header,
        records=tuple(
            record if record.cwd else replace(record, cwd=place) for record in log.records
        ),
        restart=again,
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark(log.state(session)),
    )


def _taken(lines: Lines) -> Log:
    """Return a log with all new events."""
    log = Log.restored(lines.state)
    for n, event in lines:
        take_event(log, n, event)
    return log


def _named(path: Path) -> str:
    return path.parent.name if path.name == "events.jsonl" else path.stem


def _workspace(path: Path) -> tuple[Header, str | None]:
    """Return title, remote and folder from the lines of `workspace.yaml` beside the log."""
    try:
        with path.with_name("workspace.yaml").open("rb") as file:
            text = file.read(_WORKSPACE_LIMIT).decode("utf-8", "replace")
    except OSError:
        return Header(), None
    pairs = (
        line.split(":", 1)
        for line in text.split("\n")
        if ":" in line and not line.startswith((" ", "#"))
    )
    known = {key.strip(): value.strip().strip("\"'") for key, value in pairs}
    return Header(
        title=known.get("name") or known.get("summary") or "", remote=remote(known)
    ), known.get("cwd")


def _read_document(source: Source) -> Reading:
    """Read a document of 2025: a whole session, as messages in the format of the OpenAI API."""
    path = source.path
    found, understood = objects(read_bytes(path))
    document = found[0] if found else {}
    messages = document.get("chatMessages")
    messages = messages if isinstance(messages, list) else []
    log = Log(id=toolcalls.text_of(document, "sessionId") or "")
    at = milliseconds(document.get("startTime"))
    for n, message in enumerate(messages, 1):
        if isinstance(message, dict):
            take_message(log, Record(n=n, role=Role.REPLY, at=at), message)
    return Reading(
        session=log.id,
        records=tuple(log.records) if log.id else (),
        restart=True,
        stored=len(messages),
        warnings=() if understood else (f"{path}: not complete JSON",),
        bookmark=whole(source),
    )
