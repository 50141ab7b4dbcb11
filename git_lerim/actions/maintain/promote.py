"""Suggest memories for the agents' instructions file (AGENTS.md), as a patch to apply."""

import difflib
from collections.abc import Collection

from git_lerim.memories.memory import Memory
from git_lerim.recall.local import access_counts
from git_lerim.storage.branch.lazy_snapshot import look_up
from git_lerim.tokens import printable
from git_lerim.upkeep.promote import suggestions
from git_lerim.workspace import Workspace

FILES = ("AGENTS.md", "CLAUDE.md")  # the first that exists, else a new AGENTS.md
_LARGEST = 1 << 20  # bytes


def promote(ws: Workspace, rated: Collection[str]) -> tuple[str, list[tuple[Memory, str]]]:
    """Return a patch for the agents' instructions, and the memories it adds, each with the reason.

    The patch is "" if there is nothing to add. `rated` holds the ids of memories with feedback; no
    other memory is suggested.
    """
    if ws.place.worktree is None or not rated:
        return "", []
    served = look_up(ws.store.served(), rated)
    with ws.catalog_to_read() as catalog:
        uses = access_counts.uses(catalog, ws.folder, f"{ws.now:%Y-%m-%d}")
    shared = [id_ for id_, item in served.items() if item.author]
    memories = {id_: item.memory for id_, item in served.items()}
    found = suggestions(memories, {id_: use.count for id_, use in uses.items()}, shared)
    name, old = _instructions(ws)
    new = [(memory, why) for memory, why in found if _line(memory) not in old.splitlines()]
    return (_patch(name, old, [_line(memory) for memory, _ in new]) if new else ""), new


def _instructions(ws: Workspace) -> tuple[str, str]:
    assert ws.place.worktree is not None  # noqa: S101 checked by the caller
    for name in FILES:
        path = ws.place.worktree / name
        if path.is_file() and not path.is_symlink() and path.stat().st_size < _LARGEST:
            return name, path.read_text(encoding="utf-8", errors="replace")
    return FILES[0], ""


def _line(memory: Memory) -> str:
    return f"- {printable(' '.join(memory.title.split()).rstrip('.'))}."


def _patch(name: str, old: str, lines: list[str]) -> str:
    """Return a unified diff for `git apply`."""
    before = old.splitlines(keepends=True)
    is_open = bool(before) and not before[-1].endswith("\n")
    after = [*before[:-1], before[-1] + "\n"] if is_open else list(before)
    after += [
        *(["\n"] if after and after[-1].strip() and not after[-1].startswith("- ") else []),
        *(f"{line}\n" for line in lines),
    ]
    source = f"a/{name}" if old else "/dev/null"
    rows = difflib.unified_diff(before, after, source, f"b/{name}")
    return "".join(
        row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows
    )
