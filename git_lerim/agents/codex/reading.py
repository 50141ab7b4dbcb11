"""Where Codex keeps its rollouts (session files), and how to read them.

A whole rollout is read again when later lines change what was read before: when a prompt is
recorded a second time, turns are rolled back, an open question is answered, or the copied beginning
of a fork ends. A bookmark stores no session text.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from git_lerim.agents.base import Bookmark, Places, Reading, Source
from git_lerim.agents.codex.packed import opener
from git_lerim.agents.codex.rollout import Rollout
from git_lerim.agents.lines import Lines, objects, plain, sources
from git_lerim.agents.stored import read_bytes

NAME = "codex"
_ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_ENDINGS = (".jsonl", ".jsonl.zst", ".json")
_FOLDERS = ("sessions", "archived_sessions")


def roots(places: Places) -> list[Path]:
    """Return Codex's home folder: CODEX_HOME, else `~/.codex`."""
    return [Path(places.env.get("CODEX_HOME") or places.home / ".codex")]


def find(root: Path) -> Iterator[Source]:
    """Yield the rollouts below a folder; skip a compressed one that also exists uncompressed."""
    below = [root / name for name in _FOLDERS if (root / name).is_dir()] or [root]
    for folder in below:
        for source in sources(
            NAME, folder, lambda name: name.startswith("rollout-") and name.endswith(_ENDINGS)
        ):
            if source.path.suffix != ".zst" or not source.path.with_suffix("").exists():
                yield source


def read(source: Source, bookmark: Bookmark | None) -> Iterator[Reading]:
    """Yield what was added to a rollout since the bookmark.

    If new lines change what was read before, the whole rollout is read again.
    """
    path = source.path
    if path.suffix == ".json":
        yield _read_document(path, again=bookmark is not None)
        return
    opened = opener() if path.suffix == ".zst" else plain
    if opened is None:
        warning = (
            f"{path}: compressed, and neither the Python package zstandard nor the program zstd is"
            " installed"
        )
        yield Reading(session="", warnings=(warning,), bookmark=Bookmark())
        return
    lines = Lines(path, bookmark, opened=opened, skip=_skipped)
    rollout = Rollout(path.name, lines.state)
    again = rollout.again or not rollout.take(lines)
    if again:
        lines = Lines(path, opened=opened, skip=_skipped)
        rollout = Rollout(path.name, {})
        rollout.take(lines)
    for n in rollout.lost:
        lines.warn_malformed(n)
    yield Reading(
        session=rollout.session or (_named(path) if rollout.spoken else ""),
        part=rollout.part,
        header=rollout.header,
        records=rollout.records(),
        restart=again or lines.restart or path.suffix == ".zst",  # replaces the plain file
        stored=lines.stored,
        warnings=lines.warnings,
        bookmark=lines.bookmark(rollout.state()),
    )


def _skipped(line: bytes) -> bool:
    """Return whether a line is a record of a frequent kind that has no conversation."""
    at = line.find(b'"payload":{"type":"', 0, 200)
    return at >= 0 and line.startswith(
        (b"token_count", b"reasoning", b"agent_reasoning", b"exec_command_end", b"web_search_end"),
        at + 19,
    )


def _read_document(path: Path, *, again: bool) -> Reading:
    """Read a rollout of Codex's TypeScript version of 2025: one JSON document.

    `again` says whether an earlier reading has yielded records, which are then replaced.
    """
    found, _ = objects(read_bytes(path))
    document = found[0] if found else {}
    items = document.get("items")
    rollout = Rollout(path.name, {})
    rollout.take(
        [
            (0, {**meta, "instructions": None})
            for meta in [document.get("session")]
            if isinstance(meta, dict)
        ]
    )
    listed: list[Any] = items if isinstance(items, list) else []
    rollout.take((n, item) for n, item in enumerate(listed, 1) if isinstance(item, dict))
    return Reading(
        session=rollout.session or (_named(path) if rollout.spoken else ""),
        header=rollout.header,
        records=rollout.records(),
        restart=again,
        stored=len(listed),
        warnings=() if found else (f"{path}: not JSON, left out",),
        bookmark=Bookmark(offset=path.stat().st_size),
    )


def _named(path: Path) -> str:
    """Return the session id from a rollout's file name, for a file whose first line is lost."""
    found = _ID.search(path.name)
    return found[0] if found else path.name.partition(".")[0]
