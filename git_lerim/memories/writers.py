"""Find out whose words a memory contains, according to git."""

from collections.abc import Callable
from typing import TypeAlias

from git_lerim.memories.memory import Memory, Origin
from git_lerim.memories.quotes import Lead

# Returns who wrote the memory with an id; an empty string if the user did.
Author: TypeAlias = Callable[[str], str]

_PERSONS = {Origin.HUMAN, Origin.ANSWER}
BY_PERSON = _PERSONS | {Origin.IMPORT}  # what a person said, or imported from a file
_NO_PERSONS = {Origin.RULES, Origin.REPAIR, Origin.IMPORT}


def only_user(_: str) -> str:
    """Return "", which stands for the user, as the author of every memory."""
    return ""


def takes_others_words(stays: Memory, goes: Memory, author: Author) -> bool:
    """Return whether the memory that stays would replace another author's own words.

    A note by the user's agent is not the user's own, unless it quotes them.
    """
    return is_note_on(stays, goes) or (
        goes.origin in _PERSONS and author(stays.id) != author(goes.id)
    )


def may_not_withdraw(later: Memory, earlier: Memory) -> bool:
    """Return whether a later memory must not withdraw an earlier one, a person's words.

    What an agent noted or said, and what a file says, takes back nothing that a person said.
    """
    return is_note_on(later, earlier) or (
        later.origin in _NO_PERSONS and earlier.origin in _PERSONS
    )


def is_note_on(memory: Memory, other: Memory) -> bool:
    """Return whether a memory is an agent's own note, and the other one a person's or imported."""
    # the user is known to have said only what a session has confirmed
    is_quote = Lead.OWN_WORDS in memory.body and bool(memory.sources) and memory.suspect is None
    return memory.origin is Origin.AGENT and not is_quote and other.origin in BY_PERSON
