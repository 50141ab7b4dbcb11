"""The gate for memories before a commit: normal form, limits, no secrets."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import COLUMNS, TITLE_LIMIT, Memory
from git_lerim.redaction.own_secrets.elsewhere import Values, values_of, without
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor


def gated(memory: Memory, redactor: "Redactor") -> tuple[Memory, int]:
    """Return a memory in normal form, within the limits and without secrets, and their number."""
    redacted, count = _redacted(memory, redactor)
    memory = clean(redacted)
    if memory != redacted:  # cleaning may have joined the halves of a secret
        redacted, more = _redacted(memory, redactor)
        memory, count = clean(redacted), count + more
    return replace(memory, title=clip(memory.title, TITLE_LIMIT)), count


def _redacted(memory: Memory, redactor: "Redactor") -> tuple[Memory, int]:
    """Return a memory without secrets, and their number."""
    count = 0

    def redact(text: str) -> tuple[str, int]:
        shown, found = redactor.redact(text)
        secrets.update(values_of(text, found))
        return shown, len(found)

    secrets: Values = {}
    changes: dict[str, Any] = {}
    for each in COLUMNS:
        changes[each.name], found = each.form.redact(getattr(memory, each.name), redact)
        count += found
    sources = [(source, *without(source.branch or "", secrets)) for source in changes["sources"]]
    changes["sources"] = tuple(
        replace(source, branch=name) if times else source for source, name, times in sources
    )
    count += sum(times for *_, times in sources)
    told = memory.unknown  # also the branch of a handoff; with a secret it becomes None
    told = {**told, "branch": None} if without(str(told.get("branch") or ""), secrets)[1] else told
    unknown, in_unknown = redactor.redact_json(told)
    memory = replace(memory, **changes, unknown=unknown if in_unknown else told)
    return memory, count + len(in_unknown)


def texts(memory: Memory) -> list[str]:
    """Return all texts of a memory that the gate checks."""
    found: list[str] = []

    def collect(text: str) -> tuple[str, int]:
        found.append(text)
        return text, 0

    for each in COLUMNS:
        each.form.redact(getattr(memory, each.name), collect)
    return (
        [*found, json.dumps(memory.unknown, ensure_ascii=False, default=str)]
        if memory.unknown
        else found
    )
