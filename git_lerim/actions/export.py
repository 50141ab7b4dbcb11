"""The memories as plain files, or as one JSON file, for whatever reads those."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

from git_lerim.actions.listing import as_json, file_of, handed_out, listed
from git_lerim.errors import ReadOnly, UsageError
from git_lerim.workspace import Workspace


def export(ws: Workspace, target: Path, *, everything: bool, at: str | None) -> int:
    """Write the memories into a new folder as they stand on the branch, or into a file `*.json`; return how many."""
    items = handed_out(ws, listed(ws.store.snapshot(at), everything=everything))
    try:
        if target.suffix == ".json":
            _write(target, json.dumps(as_json(ws, items), ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")
        else:
            _claim(target)
            for item in items:  # the paths were judged when they were read: none leads out of the folder
                file = target / item.path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(file_of(ws, item))
    except OSError as error:
        raise ReadOnly(f"{target} cannot be written: {error.strerror}", hint="name another place") from error
    return len(items)


def exported(ws: Workspace, *, everything: bool, at: str | None) -> list[dict[str, Any]]:
    """Return what the JSON file of an export holds."""
    return as_json(ws, handed_out(ws, listed(ws.store.snapshot(at), everything=everything)))


def _claim(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(
            f"{target} is there already and not an empty folder", hint="name a new folder, or a file that ends in .json"
        )
    target.mkdir(parents=True, exist_ok=True)


def _write(target: Path, content: bytes) -> None:
    if target.exists():
        raise UsageError(f"{target} is there already", hint="name another file")
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(3)}")
    try:
        temporary.write_bytes(content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
