"""Count sessions, records and prompts in the databases of OpenCode and Cursor, and in what lies
beside them.
"""

import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from support.counts import Count, Counts, blocks, fresh, lines

# -- OpenCode


def opencode(home: Path) -> Counts:
    """Count messages by their root session; a database is better than the tree and the tree than an
    export.
    """
    sessions: dict[str, tuple[str | None, Count]] = {}
    for told in (*_opencode_databases(home), *_opencode_tree(home), *_opencode_exports(home)):
        path, name, parent, cwd, messages = told
        if name in sessions:
            continue
        count = Count(len(messages), cwds={cwd} if cwd else set(), files={path})
        for info, parts in messages:
            texts = [
                p
                for p in parts
                if p.get("type") == "text" and not p.get("synthetic") and not p.get("ignored")
            ]
            spoken = any((p.get("text") or "").strip() for p in texts)
            count.prompts += info.get("role") == "user" and spoken and parent is None
            count.said += info.get("role") == "assistant"
        sessions[name] = (parent, count)
    found = fresh()
    for name, (_, count) in sessions.items():
        root = name
        while (above := sessions.get(root, (None, count))[0]) is not None:
            root = above
        total = found[root]
        total.add(count)
    return found


Told = tuple[Path, str, str | None, str | None, list[tuple[dict[str, Any], list[dict[str, Any]]]]]


def _opencode_databases(home: Path) -> Iterator[Told]:
    for path in sorted(home.rglob("opencode*.db")):
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        for name, parent, cwd in db.execute(
            "SELECT id, parent_id, directory FROM session"
        ).fetchall():
            messages = []
            for mid, data in db.execute(
                "SELECT id, data FROM message WHERE session_id = ?", (name,)
            ).fetchall():
                parts = db.execute(
                    "SELECT data FROM part WHERE message_id = ? ORDER BY id", (mid,)
                ).fetchall()
                messages.append((json.loads(data), [json.loads(p) for (p,) in parts]))
            yield path, name, parent, cwd, messages
        db.close()


def _opencode_tree(home: Path) -> Iterator[Told]:
    for path in sorted(home.glob("storage/session/*/ses_*.json")):
        info = json.loads(path.read_bytes())
        messages = []
        for message in sorted((home / "storage" / "message" / path.stem).glob("msg_*.json")):
            parts = sorted((home / "storage" / "part" / message.stem).glob("*.json"))
            messages.append(
                (json.loads(message.read_bytes()), [json.loads(p.read_bytes()) for p in parts])
            )
        yield path, path.stem, info.get("parentID"), info.get("directory"), messages


def _opencode_exports(home: Path) -> Iterator[Told]:
    for path in sorted(home.glob("export/*.json")):
        value = json.loads(path.read_bytes())
        info = value["info"]
        messages = [(m["info"], m["parts"]) for m in value["messages"]]
        yield path, info["id"], info.get("parentID"), info.get("directory"), messages


# -- Cursor


def cursor(home: Path) -> Counts:
    """Count the bubbles that chats name in `fullConversationHeadersOnly`, and the lines of
    transcripts.
    """
    found = fresh()
    for path in sorted(home.rglob("state.vscdb")):
        for name, (chat, rows) in cursor_chats(path).items():
            count = found[name]
            count.records += len(rows)
            count.prompts += sum(
                row.get("type") == 1 and bool((row.get("text") or "").strip()) for row in rows
            )
            count.said += sum(row.get("type") == 2 for row in rows)
            count.cwds |= _folder(
                unquote(url)[8:]
                for row in (chat, *rows)
                for url in FILE_URL.findall(json.dumps(row))
            )
            count.files.add(path)
    for path in sorted(home.rglob("agent-transcripts/**/*.jsonl")):
        everything = [o for _, o in lines(path)]
        helper = path.parent.name == "subagents"
        count = found[path.parent.parent.name if helper else path.stem]
        count.records += len(everything)
        count.files.add(path)
        count.said += sum(o.get("role") == "assistant" for o in everything)
        count.cwds |= _folder(ABSOLUTE.findall(path.read_text("utf-8")))
        if not helper:
            count.prompts += sum(
                o.get("role") == "user"
                and any(t.strip() for t in blocks((o.get("message") or {}).get("content")))
                for o in everything
            )
    return found


FILE_URL = re.compile(r"file:///[^\"\\ ]+")
ABSOLUTE = re.compile(r'"path": *"(/(?![^"]*/\.cursor/)[^"]+)"')


def _folder(paths: Iterable[str]) -> set[str]:
    """Return the folder that holds the files which a chat names."""
    folders = sorted(
        {
            name if name[1:3] == ":/" else f"/{name.lstrip('/')}"
            for name in (p.rpartition("/")[0] for p in paths)
            if name
        }
    )
    shared = (
        os.path.commonpath(folder for folder in folders if folder[0] == folders[0][0])
        if folders
        else ""
    )
    return {shared.rstrip("/")} if shared.count("/") > 1 else set()


def cursor_chats(path: Path) -> dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return each chat of a database with its bubbles in the order of its headers; those without a
    row are left out.
    """
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    chats: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    rows = (
        db.execute("SELECT key, value FROM cursorDiskKV").fetchall()
        if "cursorDiskKV" in tables
        else []
    )
    db.close()
    told = [
        (key, value)
        for key, value in rows
        if value is not None and key.startswith(("bubbleId:", "composerData:"))
    ]
    values = {key: json.loads(value, strict=False) for key, value in told}
    for key, chat in values.items():
        if not key.startswith("composerData:"):
            continue
        name = key.partition(":")[2]
        heads = chat.get("fullConversationHeadersOnly") or []
        bubbles = (
            [values.get(f"bubbleId:{name}:{head.get('bubbleId')}") for head in heads]
            or chat.get("conversation")
            or []
        )
        chats[name] = chat, [bubble for bubble in bubbles if isinstance(bubble, dict)]
    return chats
