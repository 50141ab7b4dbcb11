"""The body of a memory without the section that records what merges dropped."""

ALSO_RECORDED = "## Also recorded"


def body_itself(body: str) -> str:
    """Return a body without its section `## Also recorded`."""
    if ALSO_RECORDED not in body:
        return body
    lines = body.split("\n")  # `re` would slow down the fast search
    end = next((n for n, line in enumerate(lines) if line.rstrip(" \t") == ALSO_RECORDED), None)
    return "\n".join(lines[:end]).rstrip()
