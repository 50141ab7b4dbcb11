"""Find out whose words a memory contains, according to git."""

from collections.abc import Callable
from typing import TypeAlias

from git_lerim.memories.memory import Memory, Origin

# Returns who wrote the memory with an id; an empty string if the user did.
Author: TypeAlias = Callable[[str], str]

_PERSONS = {Origin.HUMAN, Origin.ANSWER}


def only_user(_: str) -> str:
    """Return "", which stands for the user, as the author of every memory."""
    return ""


def takes_others_words(stays: Memory, goes: Memory, author: Author) -> bool:
    """Return whether the memory that stays would replace another author's own words."""
    return goes.origin in _PERSONS and author(stays.id) != author(goes.id)
