"""The result of an extraction rule: a possible memory, with the records that support it."""

from dataclasses import dataclass

from git_lerim.memories.memory import Kind, Origin, Primitive


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A possible memory that a rule found in a session.

    `said` is the text that is compared with other findings and later turns.
    """

    origin: Origin
    primitive: Primitive
    kind: Kind | None = None
    title: str
    body: str
    said: str
    # indexes of live records; the memory's id derives from the first, and from the place in it
    evidence: tuple[int, ...]
    place: str = ""  # no other finding may have the same first record, place and primitive
    turn: int
    limited_in: tuple[int, ...] = ()  # the turns that state exceptions
    adds: str = ""  # the agent's part of the body, to be added to an order of the same turn
    files: tuple[str, ...] = ()
    rank: float  # the findings of the highest rank are kept


def place_of(number: int) -> str:
    """Return the `place` for a finding's index in a list: the index as text, but "" for 0."""
    return str(number) if number else ""
