"""The gate that every memory passes before a commit: normal form, limits, and no secret in any of its fields."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from git_lerim.memories.clean import clean
from git_lerim.memories.memory import TITLE_LIMIT, Memory
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor


def gated(memory: Memory, redactor: "Redactor") -> tuple[Memory, int]:
    """Return a memory in normal form and within the limits, without secrets, and how many were blanked."""
    title, in_title = redactor.redact(memory.title)
    body, in_body = redactor.redact(memory.body)
    suspect, in_suspect = redactor.redact(memory.suspect or "")
    tags = [redactor.redact(tag) for tag in memory.tags]
    unknown, in_unknown = _blanked(memory.unknown, redactor)
    memory = clean(
        replace(
            memory,
            title=title,
            body=body,
            suspect=suspect if in_suspect else memory.suspect,
            tags=tuple(t for t, found in tags if not found),
            unknown=unknown,
        )
    )
    count = len(in_title) + len(in_body) + len(in_suspect) + sum(len(found) for _, found in tags) + in_unknown
    return replace(memory, title=clip(memory.title, TITLE_LIMIT)), count


def _blanked(value: Any, redactor: "Redactor") -> tuple[Any, int]:
    """Return what stands under keys that we do not know without secrets, and how many were blanked."""
    if isinstance(value, str):
        text, found = redactor.redact(value)
        return (text, len(found)) if found else (value, 0)
    if isinstance(value, dict):
        pairs = {key: _blanked(inner, redactor) for key, inner in value.items()}
        return {key: inner for key, (inner, _) in pairs.items()}, sum(count for _, count in pairs.values())
    if isinstance(value, list | tuple):
        items = [_blanked(inner, redactor) for inner in value]
        return [inner for inner, _ in items], sum(count for _, count in items)
    return value, 0
