"""Collect what the lines of one rollout say, and the state for its bookmark."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from enum import Enum
from typing import Any

from msgspec.structs import replace

from git_lerim.agents.codex import words
from git_lerim.agents.codex.records import (
    Called,
    call,
    changed,
    notification,
    reply,
    report,
    result,
)
from git_lerim.agents.lines import ODD
from git_lerim.agents.stored import milliseconds
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

_BURST = 1000  # milliseconds: a fork copies its parent's history within this time
_WAITING = 64  # pending calls that a bookmark keeps
_CALLS = {
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "web_search_call",
    "tool_search_call",
}
_RESULTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}


class _From(Enum):
    """How a prompt was recorded; Codex records most prompts twice, as an event and an item."""

    EVENT = 1
    ITEM = 2
    OTHER = 3


class Rollout:
    """The content of one rollout file: a session, or a sub-agent's part of one."""

    def __init__(self, name: str, state: dict[str, Any]) -> None:
        self.session: str = state.get("session", "")
        self.part: str | None = state.get("part")
        self.header = Header()
        # the next lines may change what the last reading yielded
        self.again: bool = state.get("again", False)
        self.spoken = False
        self._name = name
        self._helper: bool = state.get("helper", False)
        self._known: bool = state.get("known", False)  # the first session_meta was read
        self._id: Any = state.get("id")
        self._place: dict[str, str | None] = dict(state.get("place", {}))
        self._start: int | None = state.get("start")
        self._called: Called = deepcopy(state.get("calls", {}))
        self._events: bool = state.get("events", False)  # this file records prompts as events
        # an earlier reading took prompts from items
        self._told_items: bool = state.get("items", False)
        self._first = not state
        self.lost: list[int] = []  # numbers of malformed lines
        self._gathered: list[tuple[_From, Record]] = []
        # for each rollback: the number of records before it, and of turns rolled back
        self._rolled: list[tuple[int, int]] = []
        self._fork: int | None = None  # lines up to this time are copied from the parent
        self._own: int | None = None  # index of the first record of the turn in progress

    def take(self, lines: Iterable[tuple[int, dict[str, Any]]]) -> bool:
        """Read the lines; return False if they change what an earlier reading yielded."""
        for n, line in lines:
            try:
                self._take_line(n, line)
            except ODD:
                self.lost.append(n)
        self.again = self._fork is not None or any(
            "questions" in each for known in self._called.values() for each in known
        )
        if self._fork is not None:
            self._end_copy()
        return not (self._told_items and self._events) and self._rolled_within()

    def _take_line(self, n: int, line: dict[str, Any]) -> None:
        payload, kind = line.get("payload"), line.get("type")
        at = milliseconds(line.get("timestamp"))
        if self._fork is not None and at is not None and at > self._fork:
            self._end_copy()
        if isinstance(payload, dict):
            self._take(n, at, kind, payload)
        elif kind is None and isinstance(line.get("id"), str):
            self._take_meta(line, at)
        elif isinstance(kind, str):
            self._take(n, at, "response_item", line)

    def _take(self, n: int, at: int | None, kind: Any, payload: dict[str, Any]) -> None:
        base = Record(
            n=n,
            role=Role.REPLY,
            at=at or self._start,
            part=self.part,
            cwd=self._place.get("cwd"),
            branch=self._place.get("branch"),
        )
        match kind:
            case "session_meta":
                self._take_meta(payload, at)
            case "turn_context":
                self._take_context(payload)
            case "response_item":
                self._take_item(payload, base)
            case "event_msg":
                self._take_event(payload, base)
            case "compacted" if isinstance(text := payload.get("message"), str) and text.strip():
                self._add(replace(base, role=Role.SUMMARY, text=said(text.strip())))

    def _take_meta(self, meta: dict[str, Any], at: int | None) -> None:
        if self._known:  # repeated on resume; the metadata of a parent begins its copied history
            if meta.get("id") != self._id and at is not None and not self._gathered:
                self._fork = at + _BURST
            return
        self._known, self._id = True, meta.get("id")
        self._start = milliseconds(meta.get("timestamp")) or at
        own, parent = meta.get("id"), meta.get("parent_thread_id")
        asked = meta.get("source")
        spawned = asked.get("subagent") if isinstance(asked, dict) else None
        if isinstance(spawned, dict) and isinstance(spawned.get("thread_spawn"), dict):
            parent = parent or spawned["thread_spawn"].get("parent_thread_id")
        self._helper = (
            spawned is not None or asked == "mcp" or meta.get("thread_source") not in {None, "user"}
        )
        forked = meta.get("forked_from_id")
        above = meta.get("session_id") if meta.get("session_id") != own else None
        root = (above or parent or forked) if self._helper else None
        self.session = next((each for each in (root, own) if isinstance(each, str)), "")
        self.part = self._name if isinstance(root, str) else None
        git = meta.get("git") if isinstance(meta.get("git"), dict) else {}
        self._place = {"cwd": _text(meta, "cwd"), "branch": _text(git or {}, "branch")}
        self.header = Header(
            version=_text(meta, "cli_version") or "",
            remote=_text(git or {}, "repository_url") or "",
            commit=_text(git or {}, "commit_hash") or "",
            forked_from=forked if isinstance(forked, str) and not self._helper else "",
        )

    def _take_context(self, payload: dict[str, Any]) -> None:
        self._place["cwd"] = _text(payload, "cwd") or self._place.get("cwd")
        if model := _text(payload, "model"):
            self.header = replace(self.header, model=model)

    def _take_item(self, payload: dict[str, Any], base: Record) -> None:
        kind = payload.get("type")
        if kind == "message":
            self.spoken = True
            self._take_message(payload, base)
        elif kind == "agent_message":
            self._add(*report(payload, base))
        elif isinstance(kind, str) and kind in _CALLS:
            self._add(*call(payload, kind, base, self._called))
        elif kind in _RESULTS:
            self._add(*result(payload, base, self._called))

    def _take_message(self, payload: dict[str, Any], base: Record) -> None:
        if payload.get("role") == "assistant":
            self._add(*reply(payload, base))
        elif payload.get("role") == "user":
            text = words.texts(payload.get("content"))
            if text.startswith("<subagent_notification>"):
                self._add(*notification(text, base))
            if self._place.get("cwd") is None and (folder := words.folder(text)):
                self._place["cwd"] = folder
                base = replace(base, cwd=folder)
            if own := words.own_text(payload):
                self._add_prompt(own, base, _From.ITEM)

    def _take_event(self, payload: dict[str, Any], base: Record) -> None:
        match payload:
            case {"type": "user_message", "message": str(text)}:
                self._add_prompt(text, base, _From.EVENT)
            case {"type": "item_completed", "item": dict(item)}:
                self._take_completed(item, base)
            case {"type": "patch_apply_end"}:
                done = payload.get("success") is not False
                self._add(
                    *changed(
                        payload.get("call_id"),
                        payload.get("changes"),
                        base,
                        self._called,
                        done=done,
                    )
                )
            case {"type": "turn_aborted"}:
                self._own = None
                if payload.get("reason") == "interrupted" and not self._helper:
                    self._add(replace(base, role=Role.INTERRUPT))
            case {"type": "thread_name_updated", "thread_name": str(title)}:
                self.header = replace(self.header, title=title)
            case {"type": "thread_rolled_back", "num_turns": int(turns)}:
                self._rolled.append((len(self._gathered), turns))
            case {"type": "task_started" | "turn_started"}:
                self._own = len(self._gathered)
            case {"type": "task_complete" | "turn_complete"}:
                self._own = None

    def _take_completed(self, item: dict[str, Any], base: Record) -> None:
        match item:
            case {"type": "UserMessage"}:
                self._add_prompt(words.completed_text(item.get("content")), base, _From.EVENT)
            case {"type": "FileChange"}:
                done = item.get("status") == "completed"
                self._add(
                    *changed(item.get("id"), item.get("changes"), base, self._called, done=done)
                )
            case {"type": "CommandExecution", "id": str(name), "exit_code": int(code)} if (
                name in self._called
            ):
                self._called[name][-1]["exit_code"] = code

    def _add(self, *records: Record) -> None:
        self._gathered.extend((_From.OTHER, record) for record in records)

    def _add_prompt(self, text: str, base: Record, source: _From) -> None:
        self._events |= source is _From.EVENT
        if not self._helper and (human := words.human(text)):
            self._gathered.append((source, replace(base, role=Role.PROMPT, text=said(human))))

    def _end_copy(self) -> None:
        """Drop the records that a fork copied from its parent, but keep the turn in progress."""
        keep = self._gathered[self._own :] if self._own is not None else []
        self._gathered = keep
        self._rolled, self._fork = [], None
        if not keep:
            self._called = {}
        self._events = any(source is _From.EVENT for source, _ in keep)

    def records(self) -> tuple[Record, ...]:
        """Return the records, each prompt once; those of rolled-back turns are marked abandoned."""
        lost = {at for start, end in self._lost() for at in range(start, end)}
        unwanted = _From.ITEM if self._events else None
        return tuple(
            replace(record, abandoned=True) if at in lost else record
            for at, (source, record) in enumerate(self._gathered)
            if source is not unwanted
        )

    def _prompts(self) -> list[int]:
        wanted = _From.EVENT if self._events else _From.ITEM
        return [at for at, (source, _) in enumerate(self._gathered) if source is wanted]

    def _lost(self) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each range of records that was rolled back."""
        standing: list[int] = []
        waiting = self._prompts()
        for end, turns in self._rolled:
            standing += [at for at in waiting if at < end]
            waiting = [at for at in waiting if at >= end]
            if turns > 0 and standing:
                first = standing[-turns] if turns <= len(standing) else standing[0]
                standing = [at for at in standing if at < first]
                yield first, end

    def _rolled_within(self) -> bool:
        """Return whether this reading includes all turns that were rolled back."""
        return self._first or not self._rolled

    def state(self) -> dict[str, Any]:
        """Return the state for the bookmark, from which the next reading continues."""
        return {
            "session": self.session,
            "part": self.part,
            "helper": self._helper,
            "known": self._known,
            "id": self._id,
            "place": self._place,
            "start": self._start,
            # if `again`, the next reading starts over and needs no earlier calls
            "calls": {} if self.again else dict(list(self._called.items())[-_WAITING:]),
            "events": self._events,
            "items": self._told_items or (not self._events and bool(self._prompts())),
            "again": self.again,
        }


def _text(value: dict[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) and found else None
