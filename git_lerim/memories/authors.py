"""How an agent reads the memory of a colleague, whose text may speak of "the user"."""

import re

_SPEAKER = re.compile(
    r"\bthe user(?=['’]s (?:own )?words\b"
    r"|(?: has| had| also| then)? (?:ask|said|say|report|object|answer|chose|choose|want|wish|"
    r"prefer|decide|agree|approve|insist|order|require|told|tell|request)\w*\b)",
    re.IGNORECASE,
)


def from_other(author: str) -> str:
    """Return the words that tell whose memory it is."""
    return f"from {author}, not the user"


def in_their_name(text: str, author: str) -> str:
    """Return a text in which its author, if there is one, says what "the user" said.

    "The user" of a colleague's session is that colleague, not who reads the memory.
    """
    return _SPEAKER.sub(lambda _: author, text) if author else text
