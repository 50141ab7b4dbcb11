"""Prepare a memory for its commit: bring it into normal form and redact its secrets."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import COLUMNS, TITLE_LIMIT, Memory
from git_lerim.redaction.own_secrets.elsewhere import (
    Values,
    certain,
    values_of,
    without,
    without_known,
)
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.redaction.finding import Finding
    from git_lerim.redaction.redactor import Redactor


def gated(memory: Memory, redactor: "Redactor") -> tuple[Memory, int]:
    """Return a memory as it may be committed, and how many secrets were redacted.

    The memory is in normal form, and its title is cut to the limit.
    """
    redact = cache(redactor.redact)  # the second pass meets mostly the same texts
    redacted, count = _redacted(memory, redactor, redact)
    memory = clean(redacted)
    if memory != redacted:  # cleaning may have joined the halves of a secret
        redacted, more = _redacted(memory, redactor, redact)
        memory, count = memory if redacted is memory else clean(redacted), count + more
    title = clip(memory.title, TITLE_LIMIT)
    return memory if title == memory.title else replace(memory, title=title), count


def without_values(memory: Memory, values: Values) -> tuple[Memory, int]:
    """Return a memory with some `certain` values redacted, and how often they occurred in it.

    Tags that contain one are dropped, as they are from new memories.
    """
    changes, count = _changes(memory, lambda text: without_known(text, values))
    tags = tuple(tag for tag in memory.tags if not without_known(tag, values)[1])
    redacted = clean(replace(memory, **{**changes, "tags": tags}))
    return replace(redacted, title=clip(redacted.title, TITLE_LIMIT)), count


def _changes(
    memory: Memory, redact: Callable[[str], tuple[str, int]]
) -> tuple[dict[str, Any], int]:
    """Return the fields of a memory that change if their texts are redacted, and the count."""
    count = 0
    changes: dict[str, Any] = {}
    for each in COLUMNS:
        value = getattr(memory, each.name)
        shown, found = each.form.redact(value, redact)
        count += found
        if shown != value:
            changes[each.name] = shown
    return changes, count


def _redacted(
    memory: Memory, redactor: "Redactor", redact: Callable[[str], tuple[str, list["Finding"]]]
) -> tuple[Memory, int]:
    """Redact the secrets of a memory and count them; return the same object if it has none."""
    count = 0

    def without_secrets(text: str) -> tuple[str, int]:
        shown, found = redact(text)
        if found:
            secrets.update(values_of(text, found))
        return shown, len(found)

    secrets: Values = {}
    changes, found = _changes(memory, without_secrets)
    count += found
    if again := certain(secrets):  # what one field shows to be a secret is one in all of them
        more, found = _changes(replace(memory, **changes), lambda text: without_known(text, again))
        changes, count = changes | more, count + found
    if secrets:
        given = changes.get("sources", memory.sources)
        sources = [(source, *without(source.branch or "", secrets)) for source in given]
        changes["sources"] = tuple(
            replace(source, branch=name) if times else source for source, name, times in sources
        )
        count += sum(times for *_, times in sources)
    if memory.unknown:
        told = memory.unknown  # has the branch of a handoff, which becomes None if it has a secret
        hidden = without(str(told.get("branch") or ""), secrets)[1]
        told = {**told, "branch": None} if hidden else told
        unknown, in_unknown = redactor.redact_json(told)
        if hidden or in_unknown:
            changes["unknown"] = unknown if in_unknown else told
        count += len(in_unknown)
    return (replace(memory, **changes) if changes else memory), count


def texts(memory: Memory) -> list[str]:
    """Return all texts of a memory that are searched for secrets."""
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
