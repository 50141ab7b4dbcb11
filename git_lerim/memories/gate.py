"""The gate that every memory passes before a commit: normal form, limits, and no secret in any of its fields."""

from dataclasses import replace
from typing import TYPE_CHECKING

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
    unknown, in_unknown = redactor.redact_json(memory.unknown)
    memory = clean(
        replace(
            memory,
            title=title,
            body=body,
            suspect=suspect if in_suspect else memory.suspect,
            tags=tuple(t for t, found in tags if not found),
            unknown=unknown if in_unknown else memory.unknown,
        )
    )
    count = len(in_title) + len(in_body) + len(in_suspect) + sum(len(found) for _, found in tags) + len(in_unknown)
    return replace(memory, title=clip(memory.title, TITLE_LIMIT)), count
