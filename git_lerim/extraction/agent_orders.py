"""Tell whether an agent's words, such as a title, give an order that only the user may give."""

from git_lerim.sessions.session import Header


def fit_title(header: Header) -> str:
    """Return a session's title, or "" if it gives an order, as a model's title may do."""
    return "" if header.title and gives_order(header.title) else header.title


def gives_order(text: str) -> bool:
    """Return whether an agent's words, such as a title, give an order that only the user may give.

    They do if a sentence says how to do things from now on, or if a colleague's memory with the
    same text would be withheld.
    """
    # the rules take long to load
    from git_lerim.extraction.transcript.text import sentences  # noqa: PLC0415
    from git_lerim.extraction.wishes.says import may_be_order  # noqa: PLC0415
    from git_lerim.memories.checks.orders_of_others import harm_in_label  # noqa: PLC0415

    standing = any(map(may_be_order, sentences(text)))
    return standing or harm_in_label(text) is not None
