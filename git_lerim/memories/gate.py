"""The gate that every memory passes before a commit: normal form, limits, and no secret in any of its fields."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from git_lerim.memories.clean import clean
from git_lerim.memories.memory import COLUMNS, TITLE_LIMIT, Anchor, Memory, Source
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.redaction.redactor import Redactor


def gated(memory: Memory, redactor: "Redactor") -> tuple[Memory, int]:
    """Return a memory in normal form and within the limits, without secrets, and how many were blanked.

    A tag or an anchor with a secret in it is left out: what is blanked names no code any more.
    """
    count = 0

    def redact(text: str) -> tuple[str, int]:
        shown, found = redactor.redact(text)
        return shown, len(found)

    changes: dict[str, Any] = {}
    for each in COLUMNS:
        value, found = each.form.redact(getattr(memory, each.name), redact)
        changes |= {each.name: value} if found else {}
        count += found
    in_anchors = [len(redactor.find(_anchored(anchor))) for anchor in memory.anchors]
    changes["anchors"] = tuple(anchor for anchor, found in zip(memory.anchors, in_anchors, strict=True) if not found)
    changes["sources"], in_sources = _sources(memory, redactor)
    unknown, in_unknown = redactor.redact_json(memory.unknown)
    memory = clean(replace(memory, **changes, unknown=unknown if in_unknown else memory.unknown))
    blanked = count + len(in_unknown) + sum(in_anchors) + in_sources
    return replace(memory, title=clip(memory.title, TITLE_LIMIT)), blanked


def words(memory: Memory) -> str:
    """Return all words of a memory as one text, to look through at once."""
    sources = (f"{source.agent} {source.session} {source.part or ''} {source.branch or ''}" for source in memory.sources)
    unknown = (json.dumps(memory.unknown, ensure_ascii=False, default=str),) if memory.unknown else ()
    anchors = map(_anchored, memory.anchors)
    edited = (memory.edited.by,) if memory.edited else ()
    said = (row.author for row in memory.feedback)
    return "\n".join(
        (memory.title, memory.body, memory.suspect or "", *memory.tags, *anchors, *sources, *unknown, *edited, *said)
    )


def _anchored(anchor: Anchor) -> str:
    return f"{anchor.path}\n{anchor.symbol or ''}"


def _sources(memory: Memory, redactor: "Redactor") -> tuple[tuple[Source, ...], int]:
    """Blank what names a session and its branch: its id and its part are the names of files."""
    count = 0

    def blank(name: str | None) -> str | None:
        nonlocal count
        shown, found = redactor.redact(name or "")
        count += len(found)
        return shown if found else name

    sources = tuple(
        replace(source, session=blank(source.session) or "", part=blank(source.part), branch=blank(source.branch))
        for source in memory.sources
    )
    return sources, count
