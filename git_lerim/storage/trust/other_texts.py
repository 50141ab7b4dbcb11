"""Collect the texts of a memory besides its title and body; each may contain an order, too."""

from collections.abc import Iterator, Mapping
from typing import Any

from git_lerim.memories.format.shown import PERSON
from git_lerim.memories.memory import Memory
from git_lerim.memories.plain_tags import is_plain, words_in


def beside(memory: Memory) -> Iterator[str]:
    """Yield the texts of a memory besides its title and body, except the names of persons."""
    from git_lerim.memories.checks.gate import texts  # noqa: PLC0415 most runs judge nothing

    # a person's name may have any words; what is no name is judged
    persons = [row.author for row in memory.feedback]
    persons += [memory.edited.by] if memory.edited else []
    yield from (each for each in persons if PERSON.shown(each) != each)
    known = memory.having(unknown={}, feedback=(), edited=None)
    yield from (text for text in texts(known) if text not in {memory.title, memory.body})
    yield "/".join(memory.tags)  # each may be one word of an order
    yield from (" ".join(words_in(tag)) for tag in memory.tags if not is_plain(tag))
    yield from _texts_in(memory.unknown)


def _is_claimer(key: str, value: Any) -> bool:
    """Return whether a field names who claimed a handoff, and has no more than a person's name."""
    return key == "who" and isinstance(value, str) and PERSON.shown(value) == value


def _texts_in(value: Any) -> Iterator[str]:
    """Yield every key and value in nested mappings and lists, as text."""
    if isinstance(value, Mapping):
        plain = {key: each for key, each in value.items() if not _is_claimer(key, each)}
        yield from (text for pair in plain.items() for each in pair for text in _texts_in(each))
    elif isinstance(value, list | tuple):
        yield from (text for each in value for text in _texts_in(each))
    else:
        yield str(value)
