"""Count sessions, records and prompts in the agents' files of lines, with loops that share nothing
with the package.

Written from the description of the formats, to be compared with what the product says it read.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DECODER = json.JSONDecoder(strict=False)


@dataclass
class Count:
    """What stands in the files of one session."""

    records: int = 0
    prompts: int = 0
    cwds: set[str] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)
    said: int = 0  # messages of the agent

    def add(self, other: "Count") -> None:
        """Take in what stands in a part of the session."""
        self.records += other.records
        self.prompts += other.prompts
        self.said += other.said
        self.cwds |= other.cwds
        self.files |= other.files


Counts = dict[str, Count]


def fresh() -> Counts:
    """Return counts of nothing yet."""
    return defaultdict(Count)


def lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield each JSON object of a file of lines with its line number; glued ones have the same."""
    for n, raw in enumerate(path.read_bytes().split(b"\n"), 1):
        text = raw.decode("utf-8", "replace").strip(" \t\r\0\ufeff")
        at = 0
        while at < len(text):
            try:
                value, at = DECODER.raw_decode(text, at)
            except ValueError:
                break
            while at < len(text) and text[at] in " \t\r\0":
                at += 1
            if isinstance(value, dict):
                yield n, value


# -- Claude Code

MACHINE = (
    "<local-command-caveat>", "Caveat: The messages below", "<local-command-stdout>",
    "<local-command-stderr>", "<bash-stdout>",
    "<bash-stderr>", "<task-notification>", "<system-reminder>", "<ci-monitor-event>",
    "<teammate-message",
    "[Request interrupted by user", "Base directory for this skill:",
    "This session is being continued from a previous",
    "Implement the following plan:", "<bash-input>",
)  # fmt: skip
COMMAND = re.compile(
    r"<command-(?:name|message)>.*?(?:<command-args>(.*?)</command-args>|$)", re.DOTALL
)
BESIDE = re.compile(r"<(ide_opened_file|ide_selection|system-reminder)>.*?</\1>", re.DOTALL)


def blocks(content: Any, kinds: tuple[str, ...] = ("text",)) -> list[str]:
    """Return the texts of a message's content."""
    if isinstance(content, str):
        return [content]
    return [
        b.get("text") or "" for b in content or () if isinstance(b, dict) and b.get("type") in kinds
    ]


def _human(content: Any) -> str:
    text = "\n".join(blocks(content))
    text = BESIDE.sub("", text).strip()
    if command := COMMAND.match(text):
        return (
            command[1] or ""
        ).strip()  # `/x` alone says nothing; with arguments these are the human's words
    return "" if text.startswith(MACHINE) else text


def claude(home: Path) -> Counts:
    """Count sessions of Claude Code: files by the `sessionId` of their records, sub-agents' files
    with their parent's.
    """
    found = fresh()
    below = home / "projects" if (home / "projects").is_dir() else home
    for path in sorted(below.rglob("*.jsonl")):
        everything = list(lines(path))
        talk = [o for _, o in everything if o.get("type") in {"user", "assistant"}]
        if not talk or path.name in {"history.jsonl", "journal.jsonl"}:
            continue
        name = talk[0].get("sessionId") or path.stem
        helper = path.name.startswith("agent-")
        name = name if helper or not re.fullmatch(r"[0-9a-f-]{36}", path.stem) else path.stem
        count = found[name]
        count.files.add(path)
        count.records += len(everything)
        count.cwds |= {o["cwd"] for o in talk if o.get("cwd")}
        count.said += sum(o["type"] == "assistant" for o in talk)
        if not helper:
            count.prompts += _claude_prompts([o for _, o in everything])
    return found


def _claude_prompts(records: list[Any]) -> int:
    seen: set[str] = set()
    total = 0
    queued: list[str] = []
    for o in records:
        if o.get("uuid"):
            if o["uuid"] in seen:
                continue
            seen.add(o["uuid"])
        attached = o.get("attachment") or {}
        if o.get("type") == "attachment" and attached.get("type") == "queued_command":
            text = _human(attached.get("prompt"))
            origin = (attached.get("origin") or {}).get("kind", "human")
            if (
                text
                and attached.get("commandMode") in {None, "prompt"}
                and origin == "human"
                and not o.get("isSidechain")
            ):
                total += 1
                queued.append(text)
            continue
        if o.get("type") != "user" or any(
            o.get(k)
            for k in ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly")
        ):
            continue
        if (o.get("origin") or {}).get("kind", "human") != "human":
            continue
        text = _human((o.get("message") or {}).get("content"))
        if not text:
            continue
        if text not in queued:
            total += 1
        queued = []
    return total


# -- Codex

INJECTED = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions for",
    "<INSTRUCTIONS>", "<turn_aborted>", "<skill>",
    "<image name=", "<personality_spec>", "<user_action>", "<subagent_notification>",
    "<collaboration_mode>",
    "<permissions instructions>",
)  # fmt: skip


def codex(home: Path) -> Counts:
    """Count rollouts by the id of their first header, sub-agents' with their root's."""
    rollouts: dict[str, tuple[str | None, Count]] = {}
    for path in sorted(home.rglob("rollout-*.jsonl")):
        everything = [o for _, o in lines(path)]
        if not everything:
            continue
        head = everything[0].get("payload") or everything[0]
        source = head.get("source")
        spawned = (source.get("subagent") or {}) if isinstance(source, dict) else {}
        parent = head.get("parent_thread_id")
        if not parent and isinstance(spawned, dict):
            parent = (spawned.get("thread_spawn") or {}).get("parent_thread_id")
        own = everything if not head.get("forked_from_id") else _after_copy(everything)
        count = Count(
            len(everything), 0 if parent or spawned else _codex_prompts(own), files={path}
        )
        count.cwds = {
            o["payload"]["cwd"] for o in everything if (o.get("payload") or {}).get("cwd")
        }
        count.said = sum((o.get("payload") or {}).get("role") == "assistant" for o in everything)
        rollouts[head["id"]] = (parent, count)
    found = fresh()
    for name, (_, count) in rollouts.items():
        root = name
        while (above := rollouts.get(root, (None, count))[0]) is not None:
            root = above
        total = found[root]
        total.add(count)
    return found


def _after_copy(records: list[Any]) -> list[Any]:
    """Return what a fork added: after the last turn that began within a second of its
    first line.
    """
    first = records[0]["timestamp"]
    burst = [
        i
        for i, o in enumerate(records)
        if o.get("timestamp", "")[:19] <= first[:17] + f"{int(first[17:19]) + 1:02}"
    ]
    began = [
        i
        for i in burst
        if (o := records[i]).get("type") == "event_msg"
        and o["payload"].get("type") == "task_started"
    ]
    return records[began[-1] :] if began else records


def _codex_prompts(records: list[Any]) -> int:
    payloads = [(o.get("type"), o.get("payload") or {}) for o in records]
    events = [p for t, p in payloads if t == "event_msg" and p.get("type") == "user_message"]
    events += [
        p
        for t, p in payloads
        if t == "event_msg" and (p.get("item") or {}).get("type") == "UserMessage"
    ]
    if events:
        return len(events)
    texts = [
        "\n".join(blocks(p.get("content"), ("input_text", "text")))
        for _, p in payloads
        if p.get("role") == "user"
    ]
    return sum(bool(text.strip()) and not text.lstrip().startswith(INJECTED) for text in texts)


# -- Gemini, Copilot, Pi


def gemini(home: Path) -> Counts:
    """Count the lines of logs, and the messages of documents that no log goes on with."""
    found = fresh()
    paths = [p for p in sorted(home.rglob("*.json*")) if "chats" in p.parts or p.parent == home]
    for path in paths:
        if path.suffix == ".jsonl":
            everything = [o for _, o in lines(path)]
            head = everything[0]
            messages: dict[str, Any] = {}
            for o in everything:
                if isinstance(whole := (o.get("$set") or {}).get("messages"), list):
                    messages = {m["id"]: m for m in whole}
                elif o.get("$rewindTo"):
                    continue  # what was rewound was said all the same
                elif o.get("id"):
                    messages[o["id"]] = o
            stored = len(everything)
        elif path.with_suffix(".jsonl").exists():
            continue
        else:
            head = json.loads(path.read_bytes())
            messages = {m["id"]: m for m in head["messages"]}
            stored = len(head["messages"])
        helper = head.get("kind") == "subagent"
        name = path.parent.name if helper else head.get("sessionId") or path.stem
        count = found[name]
        count.records += stored
        count.files.add(path)
        count.said += sum(m.get("type") == "gemini" for m in messages.values())
        count.cwds |= _hashed(head.get("projectHash"), path)
        if not helper:
            count.prompts += sum(
                m.get("type") == "user" and bool(_gemini_text(m)) for m in messages.values()
            )
    return found


def _hashed(wanted: str | None, path: Path) -> set[str]:
    """Return the folder whose hash names the project, if one of the paths in the chat lies below
    it.
    """
    found = set(
        re.findall(r"/[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+", path.read_text("utf-8", "replace"))
    )
    above = {str(folder) for name in found for folder in Path(name).parents}
    return {folder for folder in above if hashlib.sha256(folder.encode()).hexdigest() == wanted}


def _gemini_text(message: dict[str, Any]) -> str:
    content = message.get("displayContent") or message.get("content")
    parts = (
        [content]
        if isinstance(content, str)
        else [p.get("text") or "" for p in content or () if isinstance(p, dict)]
    )
    text = next((part for part in parts if part.strip()), "").strip()
    return "" if text.startswith(("<session_context>", "System: Please continue.")) else text


def copilot(home: Path) -> Counts:
    """Count the lines of event logs by their folder."""
    found = fresh()
    for path in sorted(home.rglob("events.jsonl")):
        everything = [o for _, o in lines(path)]
        starts = [
            o["data"].get("sessionId") for o in everything if o.get("type") == "session.start"
        ]
        name = path.parent.name if path.parent.parent.name == "session-state" else starts[0]
        count = found[name]
        count.files.add(path)
        count.records = len(everything)
        for o in everything:
            data = o.get("data") or {}
            count.cwds |= {cwd} if (cwd := (data.get("context") or {}).get("cwd")) else set()
            typed = o.get("type") == "user.message" and not data.get("source")
            count.prompts += (
                typed and not o.get("agentId") and bool((data.get("content") or "").strip())
            )
            count.said += o.get("type") == "assistant.message"
    return found


def pi(home: Path) -> Counts:
    """Count the lines of session files by the id in their header."""
    found = fresh()
    for path in sorted(home.rglob("*.jsonl")):
        everything = [o for _, o in lines(path)]
        head = everything[0]
        count = found[head["id"]]
        count.files.add(path)
        count.records += len(everything)
        count.cwds |= {head["cwd"]} if head.get("cwd") else set()
        helper = False
        for o in everything:
            message = o.get("message") or {}
            if (
                o.get("type") == "session_info"
            ):  # from here on an extension lets another agent go on with the copy
                helper = (o.get("name") or "").startswith("subagent-")
            spoken = message.get("role") == "user" and any(
                t.strip() for t in blocks(message.get("content"))
            )
            count.prompts += spoken and not helper
            count.said += message.get("role") == "assistant"
    return found
