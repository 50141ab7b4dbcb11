"""Where Gemini CLI keeps its sessions, and how its logs and documents are read.

Often only the hash of a project's path is known. A record's `cwd` is then `sha256:<hash>`, which is
later compared with the hashes of known paths. A session that was resumed elsewhere is in several
files; the catalog stores each message only once, by its id.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.gemini.messages import called, calls_in, stamp_of, words
from git_lerim.agents.lines import Lines, objects
from git_lerim.agents.stored import read_bytes, sources, unchanged, whole
from git_lerim.sessions.session import Header, Record

NAME = "gemini"

_PATTERNS = (
    *("tmp/*/chats/*.jsonl", "tmp/*/chats/*.json", "tmp/*/chats/*/*.jsonl"),
    *("chats/*.jsonl", "chats/*.json", "chats/*/*.jsonl", "*session-*.jsonl", "*session-*.json"),
)
_HASH = re.compile(r"[0-9a-f]{64}\Z")


def roots(places: Places) -> list[Path]:
    """Return the folders of Gemini CLI: those of GEMINI_CLI_HOME, else `~/.gemini`."""
    named = places.env.get("GEMINI_CLI_HOME")
    return [Path(named) / ".gemini", Path(named)] if named else [places.home / ".gemini"]


def find(root: Path) -> Iterator[Source]:
    """Yield the logs and documents of chats, except documents that a log continues."""
    for source in sources(NAME, root, _PATTERNS):
        if source.path.suffix != ".json" or not source.path.with_suffix(".jsonl").exists():
            yield source


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a chat since the bookmark.

    After a rewind, yield the whole chat, with the abandoned part marked.
    """
    if source.path.suffix == ".json":
        yield (
            Reading(session="", bookmark=whole(source))
            if unchanged(source, bookmark)
            else _document(source)
        )
        return
    lines = Lines(source.path, bookmark)
    again = lines.restart
    chat = _taken(lines)
    if chat.rewound and lines.state:
        lines, again = Lines(source.path), True
        chat = _taken(lines)
    top, part = _family(source.path, chat.id or source.path.stem)
    chat.id = chat.id or (top if chat.known else "")
    cwd = chat.cwd = _place(source.path, chat)
    yield Reading(
        session=top if chat.known else "",
        part=part,
        header=Header() if part else chat.header,
        records=tuple(
            replace(record, part=part, cwd=cwd) for record in chat.shown(helper=part is not None)
        ),
        restart=again,
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark(chat.state()),
    )


@dataclass(slots=True)
class _Chat:
    """State collected while the log of one chat is read in order."""

    id: str = ""
    known: bool = False
    helper: bool = False  # another agent writes its prompts
    project: str = ""  # hash of the project's path
    cwd: str | None = None
    rewound: bool = False
    # per message id: twice the number of yielded calls, plus 1 if its text was yielded
    seen: dict[str, int] = field(default_factory=dict)
    header: Header = field(default_factory=Header)
    records: list[Record] = field(default_factory=list)

    def state(self) -> dict[str, Any]:
        """Return the state for the bookmark, from which the next reading continues."""
        return {
            "id": self.id,
            "helper": self.helper,
            "project": self.project,
            "cwd": self.cwd,
            "seen": self.seen,
        }

    def shown(self, *, helper: bool) -> list[Record]:
        """Return the records; for a sub-agent, without the prompts, which another agent wrote."""
        return [
            record
            for record in self.records
            if record.role != "prompt" or not (helper or self.helper)
        ]


def _taken(lines: Lines) -> _Chat:
    """Return a chat with all new lines."""
    state = lines.state
    chat = _Chat(
        id=state.get("id", ""),
        known=bool(state.get("id")),
        helper=state.get("helper", False),
        project=state.get("project", ""),
        cwd=state.get("cwd"),
        seen=dict(state.get("seen", {})),
    )
    for n, line in lines:
        change = line.get("$set")
        if isinstance(change, dict):
            _describe(chat, change)
            messages = change.get("messages")
            for message in messages if isinstance(messages, list) else []:
                if isinstance(message, dict):
                    _message(chat, n, message)
        elif "$rewindTo" in line:
            _rewind(chat, str(line["$rewindTo"]))
        elif "type" in line and "id" in line:
            _message(chat, n, line)
        else:
            _describe(chat, line)
    return chat


def _describe(chat: _Chat, facts: dict[str, Any]) -> None:
    """Update the facts about the chat from a first line, a whole document or a `$set` record."""
    own = toolcalls.text_of(facts, "sessionId")
    chat.known = chat.known or own is not None
    chat.id = own or chat.id
    chat.helper = chat.helper or facts.get("kind") == "subagent"
    chat.project = toolcalls.text_of(facts, "projectHash") or chat.project
    folders = facts.get("directories")
    if isinstance(folders, list) and folders and isinstance(folders[0], str):
        chat.cwd = chat.cwd or folders[0]
    chat.header = replace(
        chat.header, title=toolcalls.text_of(facts, "summary") or chat.header.title
    )


def _message(chat: _Chat, n: int, message: dict[str, Any]) -> None:
    """Add the new records of a message; a message with a known id updates the earlier one."""
    chat.known = True
    stamp = stamp_of(n, message, None, None)
    key = stamp.uuid or f"#{n}"
    had, worded = divmod(chat.seen.get(key, 0), 2)
    new = [] if worded else list(words(stamp, message))
    calls = calls_in(message)
    for call in calls[had:]:
        new += called(stamp, call)
    chat.records += new
    chat.seen[key] = 2 * max(had, len(calls)) + (
        worded or int(bool(toolcalls.joined(message.get("content")).strip()))
    )
    chat.header = replace(
        chat.header, model=toolcalls.text_of(message, "model") or chat.header.model
    )


def _rewind(chat: _Chat, target: str) -> None:
    """Mark a message and all messages after it as abandoned, or all if the message is unknown."""
    chat.rewound = True
    order = list(chat.seen)
    undone = set(order[order.index(target) :] if target in chat.seen else order)
    chat.seen = {key: had for key, had in chat.seen.items() if key not in undone}
    chat.records = [
        replace(record, abandoned=True) if (record.uuid or f"#{record.n}") in undone else record
        for record in chat.records
    ]


def _document(source: Source) -> Reading:
    """Read a JSON document, which contains a whole chat."""
    path = source.path
    found, understood = objects(read_bytes(path))
    document = found[0] if found else {}
    listed = document.get("messages")
    messages = listed if isinstance(listed, list) else []
    chat = _Chat()
    _describe(chat, document)
    for n, message in enumerate(messages, 1):
        if isinstance(message, dict):
            _message(chat, n, message)
    cwd = _place(path, chat)
    return Reading(
        session=chat.id,
        header=chat.header,
        records=(
            tuple(replace(record, cwd=cwd) for record in chat.shown(helper=False))
            if chat.id
            else ()
        ),
        restart=True,
        stored=len(messages),
        warnings=() if understood else (f"{path}: not complete JSON, left out",),
        bookmark=whole(source),
    )


def _family(path: Path, own: str) -> tuple[str, str | None]:
    """Return the session of a log, and its part if it is a sub-agent's log.

    A sub-agent's log is `chats/<parent>/<own>.jsonl`.
    """
    if path.parents[1].name != "chats":
        return own, None
    parent, seen = path.parent.name, {path.stem}
    while parent not in seen:
        seen.add(parent)
        above = next(path.parents[1].glob(f"*/{parent}.jsonl"), None)
        parent = above.parent.name if above else parent
    return parent, path.stem


def _place(path: Path, chat: _Chat) -> str | None:
    """Return the project's folder, or the hash of its path if only that is known."""
    project = next((parent.parent for parent in path.parents if parent.name == "chats"), None)
    if project is not None and (named := _owner(project)):
        return named
    if chat.cwd:
        return chat.cwd
    hashed = chat.project or (project.name if project is not None else "")
    return f"sha256:{hashed}" if _HASH.match(hashed) else None


def _owner(project: Path) -> str | None:
    """Return the path that a project folder belongs to, from a file in it or `projects.json`."""
    try:
        if text := project.joinpath(".project_root").read_text("utf-8", "replace").strip():
            return text
    except OSError:
        pass
    try:
        found, _ = objects(project.parents[1].joinpath("projects.json").read_bytes())
    except (OSError, IndexError):
        return None
    register = found[0].get("projects") if found else None
    owners = (
        [place for place, name in register.items() if name == project.name]
        if isinstance(register, dict)
        else []
    )
    return owners[0] if owners else None
