"""Show a colleague's memory as theirs: "the user" in its text is that colleague.

This module imports nothing when it is loaded, so that fast commands stay fast.
"""

SOMEBODY = "somebody"  # an author whom nothing names
TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_lerim.memories.memory import Memory

_USER = r"(?:(?:the|your) (?:user|human))\b"
_OFTEN = r"(?: (?:has|had|also|then|just|only|always|never|once|\w+ly)){0,2}"
_SPEAKER = (
    r"(?i)(?P<by>\b(?:ask|request|order|want|approv|demand|decid|prefer|requir|chos)\w+"
    r"(?: for)? by )"
    rf"{_USER}"
    rf"|\b{_USER}(?=['’]s (?:own |explicit )?(?:words|wish|order|request|preference|instruction)"
    rf"|(?:, [^,.\n]{{1,40}},)?{_OFTEN} (?:ask|said|say|report|object|answer|chose|choose|want|"
    r"wish|prefer|decide|agree|approve|insist|order|require|demand|told|tell|request)\w*\b)"
    r"|^(?:the )?user(?=: )"
)


def from_other(author: str) -> str:
    """Return the words `from AUTHOR, not the user`, which introduce a colleague's memory."""
    return f"from {author}, not the user"


def agents_note(origin: str) -> list[str]:
    """Return a list with the phrase `an agent's note` if an agent wrote the memory, else []."""
    return ["an agent's note"] * (origin == "agent")


def told_by(memory: "Memory", author: str) -> "Memory":
    """Return a memory in whose title and body the author replaces "the user"."""
    title, body = (in_their_name(text, author) for text in (memory.title, memory.body))
    return memory.having(title=title, body=body) if author else memory


def in_their_name(text: str, author: str) -> str:
    """Replace "the user" with the author where a text tells what the user said or wanted.

    In a colleague's memory "the user" is that colleague, not the reader, or somebody if several
    people wrote it. Without an author, the memory is the reader's own, and its text stays
    unchanged.
    """
    told = text.lower() if author else ""
    if "user" not in told and "human" not in told:
        return text
    import re  # noqa: PLC0415 seldom needed

    first = author.capitalize() if author == SOMEBODY else author  # of a sentence
    return re.sub(
        _SPEAKER,
        lambda found: (found["by"] or "") + (first if found[0][0].isupper() else author),
        text,
        flags=re.MULTILINE,
    )
