"""Read memories unchanged from what `git lerim export` wrote: Markdown files or one JSON file."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files.base import File, Reading
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.format.fields import build
from git_lerim.memories.format.forms import Plain
from git_lerim.memories.memory import Memory, Primitive, Status

_OTHERS = {"format", "README.md", ".gitattributes"}
# Keys of the JSON export that are not in a memory's file.
_KEPT = {
    "path", "effective_confidence", "author", "shared", "stale", "stale_since", "model_says",
    "disputed", "called_stale", "branch", "handoff", "pending",
    "score",
}  # fmt: skip
_TAKEN = {Primitive.DECISION, Primitive.LEARNING}


def read(files: Sequence[File], into: Reading, *, named: bool = False) -> None:
    """Read the memories in the files of an export, and add them unchanged to `into`.

    Files that hold no memory in an export, such as `README.md`, are skipped, unless `named` says
    that the user chose this very file.
    """
    for file in files:
        if file.path in _OTHERS and not named:
            continue
        try:
            if file.path.endswith(".json"):
                _json(file, into)
            else:
                _take(file.name, frontmatter.parse(file.text.encode()), _below(file.path), into)
        except BadMemory as error:
            into.leave(file.name, str(error), failed=True)


def _take(place: str, memory: Memory, path: str, into: Reading) -> None:
    if memory.primitive not in _TAKEN:
        into.leave(place, f"is a {memory.primitive}, which exports do not contain")
        return
    if outside := next((a.path for a in memory.anchors if _is_outside(a.path)), None):
        into.leave(place, f"is about {outside}, which is outside of a repository", failed=True)
        return
    archived = memory.status is Status.ARCHIVED
    own = naming.path_of(memory, archived=archived)
    folders = 1 + archived
    fits = (
        naming.valid_path(path)
        and naming.id_in(path) == memory.id
        and path.split("/")[:folders] == own.split("/")[:folders]
    )
    into.whole.append((path if fits else own, memory))


def _is_outside(path: str) -> bool:
    slashed = path.replace("\\", "/")
    return slashed.startswith("/") or ".." in slashed.split("/")


def _below(path: str) -> str:
    """Return a path without the folders above the store: `backup/decisions/…` → `decisions/…`.

    If no part of it is a valid path in a store, the whole path is returned.
    """
    parts = path.split("/")
    return next(
        (below for at in range(len(parts)) if naming.valid_path(below := "/".join(parts[at:]))),
        path,
    )


def _json(file: File, into: Reading) -> None:
    try:
        rows = json.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise BadMemory(f"is not JSON ({type(error).__name__})") from None
    if not isinstance(rows, list):
        raise BadMemory("is not a list of memories as written by git lerim export")
    for number, row in enumerate(rows, 1):
        try:
            memory, path = _memory(row), str(row.get("path"))
        except BadMemory as error:
            into.leave(f"{file.name}, memory {number}", str(error), failed=True)
            continue
        _take(f"{file.name}, memory {number}", memory, path, into)


def _memory(row: Any) -> Memory:
    if not isinstance(row, dict) or not isinstance(row.get("body"), str):
        raise BadMemory("is not a memory")
    head = {key: _read(value) for key, value in row.items() if key not in _KEPT and key != "body"}
    anchors = head.get("anchors")
    if isinstance(anchors, list):
        head["anchors"] = [_anchor(anchor) for anchor in anchors]
    memory = build(head, row["body"])
    frontmatter.render(memory)
    return memory


def _anchor(row: Any) -> Any:
    return (
        {key: value for key, value in row.items() if key != "state"}
        if isinstance(row, Mapping)
        else row
    )


def _read(value: Any, depth: int = 0) -> Any:
    """Convert a JSON value to the form that it has in parsed front matter.

    Numbers, booleans and null become plain scalars.
    """
    if depth > 6:
        raise BadMemory("is nested too deeply")
    if isinstance(value, dict):
        return {str(key): _read(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_read(inner, depth + 1) for inner in value]
    if isinstance(value, str):
        return value
    return Plain(json.dumps(value))
