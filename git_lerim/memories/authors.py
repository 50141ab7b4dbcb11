"""Show a colleague's memory as theirs: "the user" in its text is that colleague.

This module imports nothing when it is loaded, because hot paths use it.
"""

_SPEAKER = (
    r"(?i)\bthe user(?=['’]s (?:own )?words\b"
    r"|(?: has| had| also| then)? (?:ask|said|say|report|object|answer|chose|choose|want|wish|"
    r"prefer|decide|agree|approve|insist|order|require|told|tell|request)\w*\b)"
)


def from_other(author: str) -> str:
    """Return the words `from AUTHOR, not the user`, which introduce a colleague's memory."""
    return f"from {author}, not the user"


def in_their_name(text: str, author: str) -> str:
    """Replace "the user" by the author where a text tells what the user said or wanted.

    In a colleague's memory "the user" is that colleague, not the reader. Without an author, the
    memory is the reader's own, and its text stays unchanged.
    """
    if not author or "the user" not in text.lower():
        return text
    import re  # noqa: PLC0415 seldom needed

    return re.sub(_SPEAKER, lambda _: author, text)
