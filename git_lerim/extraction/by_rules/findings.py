"""What a rule finds: a memory in the making, with the live records that it rests on."""

from dataclasses import dataclass

from git_lerim.memories.memory import Kind, Origin, Primitive

QUOTE = 420  # characters of the human's words in a body


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is worth keeping. `said` are the words that a later turn is compared with."""

    origin: Origin
    primitive: Primitive
    kind: Kind | None = None
    title: str
    body: str
    said: str
    evidence: tuple[int, ...]  # live records; the first names the memory
    turn: int
    files: tuple[str, ...] = ()
    rank: float  # the higher, the sooner it is kept


def quoted(text: str) -> str:
    """Return words in quotation marks, cut between words where they are long."""
    flat = " ".join(text.split()).replace("“", '"').replace("”", '"').rstrip(" ")
    return f"“{flat if len(flat) <= QUOTE else flat[: QUOTE - 1].rsplit(' ', 1)[0] + '…'}”"
