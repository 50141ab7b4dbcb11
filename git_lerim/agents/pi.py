"""Read sessions of Pi: `sessions/--<folder>--/<time>_<id>.jsonl`.

The entries of a session form a tree. The last entry ends the branch that is in use; the other
branches are abandoned.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from git_lerim.agents import toolcalls
from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.lines import Lines
from git_lerim.agents.stored import milliseconds, sources
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

NAME = "pi"

_KIT = toolcalls.Kit(
    shells=frozenset({"bash"}), writers=frozenset({"edit", "write", "apply_patch"})
)
_PATTERNS = ("sessions/*/*.jsonl", "sessions/*.jsonl", "--*--/*.jsonl", "*.jsonl")
_ENDED = re.compile(r"Command exited with code (\d+)\s*\Z")
_FORKED = re.compile(r"_([^_/\\]+)\.jsonl\Z")


def roots(places: Places) -> list[Path]:
    """Return Pi's folder: the one that `PI_CODING_AGENT_DIR` names, else `~/.pi/agent`."""
    named = places.env.get("PI_CODING_AGENT_DIR")
    if named:
        return [places.home / named[2:] if named.startswith("~/") else Path(named)]
    return [places.home / ".pi" / "agent"]


def find(root: Path) -> Iterator[Source]:
    """Yield the session files below Pi's folder."""
    return sources(NAME, root, _PATTERNS)


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a session since the bookmark.

    If the user went back in the tree, yield the whole session.
    """
    lines = Lines(source.path, bookmark)
    again = lines.restart
    tree = _taken(lines)
    if tree.branched and lines.state:
        lines, again = Lines(source.path), True
        tree = _taken(lines)
    yield Reading(
        session=tree.id,
        header=tree.header,
        records=tuple(tree.shown()) if tree.id else (),
        restart=again,
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark(tree.state()),
    )


@dataclass(slots=True)
class _Tree:
    """State collected while the entries of one session are read in order."""

    id: str = ""
    cwd: str | None = None
    leaf: str | None = None
    resumed: bool = False  # earlier entries were read before and are not available
    helper: bool = False  # from here on another agent writes the prompts
    branched: bool = False  # an entry's parent is not the entry before it
    parents: dict[str, str | None] = field(default_factory=dict)  # of this reading's entries
    open: dict[str, Record] = field(default_factory=dict)  # calls that have no result yet
    header: Header = field(default_factory=Header)
    records: list[tuple[str | None, Record]] = field(default_factory=list)  # with the entry's id

    def state(self) -> dict[str, Any]:
        """Return the state for the bookmark, from which the next reading continues."""
        return {
            "id": self.id,
            "cwd": self.cwd,
            "leaf": self.leaf,
            "helper": self.helper,
            "open": toolcalls.kept(self.open),
        }

    def add(self, entry: str | None, stamp: Record, role: Role, text: str) -> None:
        """Add a record unless its text is blank."""
        if text.strip():
            self.records.append((entry, replace(stamp, role=role, text=said(text.strip()))))

    def grow(self, entry: str, parent: str | None) -> None:
        """Add an entry to the tree; if its parent is missing, add it below the previous entry."""
        lost = parent is not None and parent not in self.parents and not self.resumed
        parent = self.leaf if lost else parent
        self.branched = self.branched or (self.leaf is not None and parent != self.leaf)
        self.parents[entry] = parent
        self.leaf = entry

    def shown(self) -> Iterator[Record]:
        """Yield the records, marked as abandoned if they are not on the path to the last entry."""
        live = self._way() if self.branched else set()
        for entry, record in self.records:
            off = self.branched and entry is not None and entry not in live
            yield replace(record, abandoned=True) if off else record

    def _way(self) -> set[str]:
        way: set[str] = set()
        at = self.leaf
        while at is not None and at not in way:
            way.add(at)
            at = self.parents.get(at)
        return way


def _taken(lines: Lines) -> _Tree:
    """Return a tree with all new entries."""
    state = lines.state
    tree = _Tree(
        id=state.get("id", ""),
        cwd=state.get("cwd"),
        leaf=state.get("leaf"),
        resumed=bool(state),
        helper=state.get("helper", False),
        open=toolcalls.restored(state.get("open", {})),
    )
    for n, entry in lines:
        _take(tree, n, entry)
    return tree


def _take(tree: _Tree, n: int, entry: dict[str, Any]) -> None:
    kind = toolcalls.text_of(entry, "type")
    if kind == "session":
        _begin(tree, entry)
        return
    own, at = toolcalls.text_of(entry, "id"), toolcalls.text_of(entry, "timestamp")
    if own:
        tree.grow(own, toolcalls.text_of(entry, "parentId"))
    # `own` is eight hexadecimal digits, which could collide
    stamp = Record(
        n=n,
        role=Role.REPLY,
        at=milliseconds(at),
        uuid=f"{own}@{at}" if own and at else None,
        cwd=tree.cwd,
    )
    message = entry.get("message")
    if kind == "message" and isinstance(message, dict):
        stamp = replace(stamp, at=stamp.at or milliseconds(message.get("timestamp")))
        take = _MESSAGES.get(str(message.get("role")))
        if take:
            take(tree, own, stamp, message)
    elif kind in {"compaction", "branch_summary"}:
        tree.add(own, stamp, Role.SUMMARY, toolcalls.text_of(entry, "summary") or "")
    elif kind == "session_info":
        name = toolcalls.text_of(entry, "name") or ""
        tree.header = replace(tree.header, title=name or tree.header.title)
        # a fork started by an extension to work on a task of the parent; it can be renamed
        tree.helper = tree.helper or name.startswith("subagent-")
    elif kind == "model_change":
        tree.header = replace(
            tree.header, model=toolcalls.text_of(entry, "modelId") or tree.header.model
        )


def _begin(tree: _Tree, entry: dict[str, Any]) -> None:
    """Read a session's id, folder and model from its header.

    A second header, from a copied history, does not change the id.
    """
    tree.id = tree.id or toolcalls.text_of(entry, "id") or ""
    tree.cwd = toolcalls.text_of(entry, "cwd") or tree.cwd
    forked = _FORKED.search(toolcalls.text_of(entry, "parentSession", "branchedFrom") or "")
    tree.header = replace(
        tree.header,
        model=toolcalls.text_of(entry, "modelId") or tree.header.model,
        forked_from=tree.header.forked_from or (forked[1] if forked else ""),
    )


def _user(tree: _Tree, own: str | None, stamp: Record, message: dict[str, Any]) -> None:
    if not tree.helper:
        tree.add(own, stamp, Role.PROMPT, toolcalls.joined(message.get("content")))


def _assistant(tree: _Tree, own: str | None, stamp: Record, message: dict[str, Any]) -> None:
    tree.header = replace(
        tree.header, model=toolcalls.text_of(message, "model") or tree.header.model
    )
    content = message.get("content")
    tree.add(own, stamp, Role.REPLY, toolcalls.joined(content))
    for part in content if isinstance(content, list) else []:
        if (
            isinstance(part, dict)
            and part.get("type") == "toolCall"
            and isinstance(part.get("name"), str)
        ):
            call_id = toolcalls.text_of(part, "id")
            record = toolcalls.call(
                stamp, _KIT, part["name"], toolcalls.arguments(part.get("arguments")), call_id
            )
            tree.records.append((own, record))
            if call_id:
                tree.open[call_id] = record
    if message.get("stopReason") == "aborted":
        tree.records.append((own, replace(stamp, role=Role.INTERRUPT)))


def _result(tree: _Tree, own: str | None, stamp: Record, message: dict[str, Any]) -> None:
    call_id, tool = toolcalls.text_of(message, "toolCallId"), toolcalls.text_of(message, "toolName")
    called = tree.open.pop(call_id, None) if call_id else None
    called = called or replace(stamp, call=call_id, tool=tool)
    output, failed = toolcalls.joined(message.get("content")), message.get("isError") is True
    if called.tool == "subagent" and not failed:
        tree.add(own, replace(stamp, call=call_id, tool=tool), Role.REPORT, output)
        return
    ended = _ENDED.search(output[-100:]) if failed and called.command else None
    record = toolcalls.result(
        called, stamp, output, failed=failed, exit_code=int(ended[1]) if ended else None
    )
    tree.records.append((own, record))


def _own_command(tree: _Tree, own: str | None, stamp: Record, message: dict[str, Any]) -> None:
    """Add the records of a command that the user ran with `!`, and of its result."""
    command, code = toolcalls.text_of(message, "command"), message.get("exitCode")
    if command:
        called = toolcalls.call(stamp, _KIT, "bash", {"command": command}, None)
        output = toolcalls.text_of(message, "output") or ""
        failed = message.get("cancelled") is True
        exit_code = toolcalls.code(code)
        tree.records.append((own, called))
        tree.records.append(
            (own, toolcalls.result(called, stamp, output, failed=failed, exit_code=exit_code))
        )


def _summary(tree: _Tree, own: str | None, stamp: Record, message: dict[str, Any]) -> None:
    tree.add(
        own,
        stamp,
        Role.SUMMARY,
        toolcalls.text_of(message, "summary") or toolcalls.joined(message.get("content")),
    )


_MESSAGES: dict[str, Callable[[_Tree, str | None, Record, dict[str, Any]], None]] = {
    "user": _user,
    "assistant": _assistant,
    "toolResult": _result,
    "bashExecution": _own_command,
    "branchSummary": _summary,
    "compactionSummary": _summary,
}
