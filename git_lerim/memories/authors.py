"""How the memory of a colleague is read, whose text may speak of "the user".

This module imports nothing at once, because hot paths use it.
"""

_SPEAKER = (
    r"(?i)\bthe user(?=['’]s (?:own )?words\b"
    r"|(?: has| had| also| then)? (?:ask|said|say|report|object|answer|chose|choose|want|wish|"
    r"prefer|decide|agree|approve|insist|order|require|told|tell|request)\w*\b)"
)


def from_other(author: str) -> str:
    """Return the words that tell whose memory it is."""
    return f"from {author}, not the user"


def in_their_name(text: str, author: str) -> str:
    """Return a text in which its author, if there is one, says what "the user" said.

    "The user" of a colleague's session is that colleague, not who reads the memory.
    """
    if not author or "the user" not in text.lower():
        return text
    import re  # noqa: PLC0415 seldom needed

    return re.sub(_SPEAKER, lambda _: author, text)
