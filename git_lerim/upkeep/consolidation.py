"""Unite several memories into one that replaces them, with their sources, anchors and feedback."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from git_lerim.memories import confidence, feedback, naming
from git_lerim.memories.memory import Memory, Origin, Status
from git_lerim.memories.merging.merging import join_sources

_SECOND = timedelta(seconds=1)


def united(
    parts: Sequence[Memory], text: tuple[str, str], *, writer: str, origin: Origin, now: datetime
) -> Memory:
    """Return a new memory that unites the sources, tags, anchors and feedback of several.

    `text` is the new title and body. The new memory is dated before all `parts`, so that these stay
    superseded as long as it is active. Its id depends on `writer` and on the ids of the parts.
    """
    first = min(parts, key=lambda each: (each.created, each.id))
    origin_record = " ".join([writer, *sorted(each.id for each in parts)]).strip()
    return replace(
        first,
        id=naming.memory_id("person" if writer else "model", origin_record, first.primitive, 1),
        title=text[0],
        body=text[1],
        created=first.created - _SECOND,
        updated=now,
        origin=origin,
        confidence=confidence.OF_ORIGIN[origin],
        worth=max((each.worth for each in parts if each.worth), default=None),
        edited=None,
        tags=tuple(dict.fromkeys(tag for each in parts for tag in each.tags)),
        sources=join_sources(source for each in parts for source in each.sources),
        anchors=tuple(dict.fromkeys(anchor for each in parts for anchor in each.anchors)),
        supersedes=tuple(sorted(each.id for each in parts)),
        merged_from=(),
        related=(),
        compared=(),
        feedback=tuple(feedback.joined(row for each in parts for row in each.feedback)),
        last_accessed=max(
            (each.last_accessed for each in parts if each.last_accessed), default=None
        ),
    )


def superseded(part: Memory, new: Memory) -> Memory:
    """Return the memory `part`, marked as superseded by `new`."""
    return replace(part, status=Status.SUPERSEDED, related=(new.id,))
