"""List the texts of a memory that its usual printout leaves out, because they are no names."""

import json
from collections.abc import Iterator
from typing import Any

from git_lerim.memories.format.shown import LINKS, PERSON
from git_lerim.memories.handoff import KEYS
from git_lerim.memories.memory import Memory, Primitive


def unshown(memory: Memory) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each field that is stored, but not printed as it is."""
    persons = [("edited", memory.edited.by)] if memory.edited else []
    persons += [("feedback", row.author) for row in memory.feedback]
    yield from (pair for pair in persons if PERSON.shown(pair[1]) != pair[1])
    for name in ("supersedes", "merged_from", "related"):
        links = getattr(memory, name)
        yield from ((name, each) for each in links if each not in LINKS.json(links))
    yield from unknown_texts(memory).items()


def unknown_texts(memory: Memory) -> dict[str, str]:
    """Return the unknown keys of a memory with their values as text, without a handoff's own."""
    own = KEYS if memory.primitive is Primitive.HANDOFF else ()
    return {key: _text(value) for key, value in memory.unknown.items() if key not in own}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
