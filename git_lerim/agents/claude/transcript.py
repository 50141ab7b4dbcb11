"""Collect what the lines of one transcript say, and the state for its bookmark."""

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from git_lerim.agents.claude import words
from git_lerim.agents.claude.records import (
    QUESTION,
    Called,
    mark,
    prompts,
    replies,
    reports,
    results,
    stamp,
)
from git_lerim.agents.claude.rewinds import Kind, Node, abandoned
from git_lerim.agents.lines import ODD, Lines
from git_lerim.sessions.compact import said
from git_lerim.sessions.session import Header, Record, Role

_SESSION = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_HELPER = "."  # placeholder for a sub-agent's file until its name is known
_RECENT = 64  # records kept in a bookmark; a prompt that follows an older one causes a restart
_TITLES = {
    "summary": ("summary", 1),
    "ai-title": ("aiTitle", 2),
    "custom-title": ("customTitle", 3),
}


class Transcript:
    """The records of one file: a session, or a sub-agent's part of one."""

    def __init__(self, state: dict[str, Any], *, helper: bool) -> None:
        self._session: str = state.get("session", "")
        self._helper: bool = state.get("helper", helper)
        # whether this is a sub-agent that was started ahead of time and has no task yet
        self._warm: bool = state.get("warm", True)
        self._was_warm = self._warm
        self._called: Called = deepcopy(state.get("calls", {}))
        # ids of the last records → itself, or the nearest ancestor that is not BETWEEN
        self._recent: dict[str, str | None] = dict(state.get("recent", {}))
        self._asked: set[str] = set(state.get("asked", ()))  # records followed by a prompt
        # digests of prompts typed while the agent worked
        self._queued: list[str] = list(state.get("queued", ()))
        self._told: dict[str, str] = dict.fromkeys(state.get("told", ()), state.get("message", ""))
        self._title_rank: int = state.get("title", 0)
        self._first = not state
        self._nodes: dict[str, Node] = {}
        self._records: list[Record] = []
        self._models: Counter[str] = Counter()
        self._title, self._version, self._message = "", "", state.get("message", "")
        self._summaries: list[tuple[str, str]] = []
        self.replaced = False

    def take(self, lines: Lines) -> None:
        """Read the lines; set `replaced` if the file has to be read again from its start."""
        for n, stored in lines:
            try:
                self._take_line(n, stored)
            except ODD:
                lines.warn_malformed(n)
        self._take_summaries()
        self.replaced |= self._helper and not self._first and self._was_warm and not self._warm

    def _take_line(self, n: int, stored: dict[str, Any]) -> None:
        kind = stored.get("type")
        if kind in _TITLES:
            self._take_title(stored, kind)
        elif isinstance(uuid := stored.get("uuid"), str):
            if uuid not in self._recent:
                self._take(n, stored, kind, uuid)
        elif kind in {"user", "assistant", "attachment"}:
            self._take(n, stored, kind, None)

    def _take(self, n: int, stored: dict[str, Any], kind: Any, uuid: str | None) -> None:
        sidechain = bool(stored.get("isSidechain"))
        if kind in {"user", "assistant"}:
            self._take_session(stored, sidechain=sidechain)
        found = list(self._said(n, stored, kind))
        self._records.extend(found)
        if uuid is not None and sidechain:
            self._recent[uuid] = None
        elif uuid is not None:
            self._place(uuid, stored, _kind(kind, stored, found))

    def _said(self, n: int, stored: dict[str, Any], kind: Any) -> Iterator[Record]:
        message = stored.get("message")
        if kind == "assistant" and isinstance(message, dict):
            yield from self._replied(n, stored, message)
        elif kind == "user" and isinstance(message, dict):
            yield from self._prompted(n, stored, message)
        elif kind == "attachment" and isinstance(attachment := stored.get("attachment"), dict):
            yield from self._attached(n, stored, attachment)
        elif (
            kind == "system"
            and stored.get("subtype") == "away_summary"
            and isinstance(text := stored.get("content"), str)
        ):
            recap = text.removesuffix("(disable recaps in /config)").strip()
            yield replace(stamp(stored, n, None), role=Role.SUMMARY, text=said(recap))

    def _replied(self, n: int, stored: dict[str, Any], message: dict[str, Any]) -> Iterator[Record]:
        model = message.get("model")
        if stored.get("isApiErrorMessage") is True or model == "<synthetic>":
            return
        if isinstance(model, str):
            self._models[model] += 1
        if isinstance(name := message.get("id"), str):
            self._message = name
        for record in replies(message, stamp(stored, n, None), self._called, self._told):
            self._warm &= record.role is Role.REPLY
            yield record

    def _prompted(
        self, n: int, stored: dict[str, Any], message: dict[str, Any]
    ) -> Iterator[Record]:
        base = stamp(stored, n, None)
        content = message.get("content")
        if self._helper:
            self._warm &= words.texts(content).strip() == "Warmup"
            base = replace(base, part=_HELPER)
        if isinstance(content, list) and any(
            isinstance(each, dict) and each.get("type") == "tool_result" for each in content
        ):
            for record in results(stored, content, base, self._called):
                base = replace(base, call=record.call)
                self.replaced |= self._lacks_questions(record)
                yield record
            # what the user typed when they allowed the call, or while it ran
            yield from prompts(stored, message, base) if words.texts(content) else ()
            return
        for record in prompts(stored, message, base):
            queued = record.role is Role.PROMPT and mark(record.text) in self._queued
            if record.role is Role.PROMPT:
                self._queued = []
            if not queued:
                yield record

    def _lacks_questions(self, record: Record) -> bool:
        """Return whether a record is an answer whose questions were in an earlier reading.

        A bookmark stores no questions, so the file then has to be read again from its start.
        """
        unread = record.tool == QUESTION and record.role is Role.RESULT and not record.failed
        return unread and not self._first

    def _attached(
        self, n: int, stored: dict[str, Any], attachment: dict[str, Any]
    ) -> Iterator[Record]:
        if attachment.get("type") != "queued_command":
            return
        prompt, base = attachment.get("prompt"), stamp(stored, n, None)
        text = words.texts(prompt)
        if text.lstrip().startswith(words.NOTIFIED):
            yield from reports(text, base)
        elif attachment.get("commandMode") in {None, "prompt"}:
            meta = attachment.get("isMeta") or stored.get("isMeta")
            queued = {**stored, "origin": attachment.get("origin"), "isMeta": meta}
            for record in prompts(queued, {"content": prompt}, base):
                self._queued.append(mark(record.text))
                yield record

    def _place(self, uuid: str, stored: dict[str, Any], kind: Kind) -> None:
        """Add a record to the tree of the conversation.

        If a prompt replaces one from an earlier reading, the file has to be read again.
        """
        parent = stored.get("parentUuid") or stored.get("logicalParentUuid")
        parent = parent if isinstance(parent, str) else None
        self._nodes[uuid] = Node(parent, kind)
        known = parent in self._recent
        after = None if parent is None else self._recent.get(parent, parent)
        if (
            (kind is Kind.PROMPT or kind is Kind.USER)
            and after is not None
            and after not in self._nodes
            and not self._first
        ):
            self.replaced |= after in self._asked or (kind is Kind.PROMPT and not known)
        if kind is Kind.PROMPT and after is not None:
            self._asked.add(after)
        self._recent[uuid] = after if kind is Kind.BETWEEN else uuid

    def _take_session(self, stored: dict[str, Any], *, sidechain: bool) -> None:
        if not self._session and isinstance(session := stored.get("sessionId"), str):
            self._session = session
            self._helper |= sidechain and isinstance(stored.get("agentId"), str)
        if isinstance(version := stored.get("version"), str):
            self._version = version

    def _take_title(self, stored: dict[str, Any], kind: str) -> None:
        field, rank = _TITLES[kind]
        title, leaf = stored.get(field), stored.get("leafUuid")
        if not isinstance(title, str) or not title.strip():
            return
        if kind == "summary":  # of this session or an earlier one; its leaf tells which
            self._summaries.append((title, leaf if isinstance(leaf, str) else ""))
        elif rank >= self._title_rank:
            self._title, self._title_rank = title.strip(), rank

    def _take_summaries(self) -> None:
        for title, leaf in self._summaries:
            if self._title_rank <= 1 and (leaf in self._nodes or leaf in self._recent):
                self._title, self._title_rank = title.strip(), 1

    def whose(self, path: Path) -> tuple[str, str | None]:
        """Return the session's id and, for a sub-agent's file, its path below the session.

        For any other file, the path is None.
        """
        if not self._session and self._records:
            self._session = path.stem
        if self._session and self._helper:
            above = [folder.name for folder in path.parents]
            depth = above.index(self._session) if self._session in above else 0
            return self._session, "/".join([*reversed(above[:depth]), path.name])
        return (
            path.stem if self._session and _SESSION.fullmatch(path.stem) else self._session
        ), None

    def header(self) -> Header:
        """Return the session's title, version and model, as far as the new records contain them."""
        model = self._models.most_common(1)
        return Header(title=self._title, version=self._version, model=model[0][0] if model else "")

    def records(self, part: str | None) -> tuple[Record, ...]:
        """Return the records read, with those on rewound branches marked as abandoned.

        The records of a sub-agent get `part` as their part.
        """
        lost = abandoned(self._nodes)
        if self._helper and self._warm:
            return ()
        if not lost and part is None:
            return tuple(self._records)
        return tuple(
            replace(each, part=part or each.part, abandoned=each.uuid in lost)
            for each in self._records
        )

    def state(self) -> dict[str, Any]:
        """Return the state for the bookmark, from which the next reading continues."""
        return {
            "session": self._session,
            "helper": self._helper,
            "warm": self._warm,
            "calls": {
                call: [each[:3] for each in known]
                for call, known in list(self._called.items())[-_RECENT:]
            },
            "recent": dict(list(self._recent.items())[-_RECENT:]),
            "asked": sorted(self._asked),
            "queued": self._queued,
            "message": self._message,
            "told": [key for key, message in self._told.items() if message == self._message],
            "title": self._title_rank,
        }


def _kind(kind: Any, stored: dict[str, Any], found: list[Record]) -> Kind:
    if kind == "assistant":
        return Kind.AGENT
    if kind != "user":
        return Kind.BETWEEN
    if any(record.role in {Role.PROMPT, Role.APPROVAL} and record.call is None for record in found):
        return Kind.PROMPT
    return (
        Kind.AGENT
        if "toolUseResult" in stored or any(record.call for record in found)
        else Kind.USER
    )
