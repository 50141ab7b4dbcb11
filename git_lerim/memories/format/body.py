"""The body of a memory without its section `## Also recorded` or its title."""

ALSO_RECORDED = "## Also recorded"


def body_itself(body: str) -> str:
    """Return a body without its section `## Also recorded`."""
    if ALSO_RECORDED not in body:
        return body
    lines = body.split("\n")  # `re` would slow down the fast search
    end = next((n for n, line in enumerate(lines) if line.rstrip(" \t") == ALSO_RECORDED), None)
    return "\n".join(lines[:end]).rstrip()


def without_title(title: str, text: str) -> str:
    """Return a text without its first sentence if that is the title."""
    if not title or not text.startswith(title):
        return text
    rest = text[len(title) :]
    after = rest.lstrip(".!?")
    ends = len(after) < len(rest) or title.endswith((".", "!", "?")) or after.startswith("\n")
    return after.lstrip() if not after or (ends and after[0].isspace()) else text
