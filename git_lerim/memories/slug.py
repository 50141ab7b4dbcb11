"""Turn titles into words of file names.

This module imports little, because a search runs before anything else is loaded.
"""

import re

SLUG_LIMIT = 50
_NAME = r"(?:archived/)?(?:[a-z]+/[0-9]{4}-[0-9]{2}/[0-9]{8}-(?P<words>.+)|handoffs/[0-9-]+)-[^-]+"


def slug(title: str, otherwise: str = "memory") -> str:
    """Return a title as words for a file name, or `otherwise` if it has no Latin letters."""
    import unicodedata  # noqa: PLC0415 seldom needed

    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")
    if len(words) > SLUG_LIMIT:
        cut = words[: SLUG_LIMIT + 1]
        words = cut[: cut.rfind("-")] if "-" in cut else cut[:SLUG_LIMIT]
    return words or otherwise


def path_without_words(path: str, title: str, author: str) -> str | None:
    """Return a memory's path, or None if a colleague's path has words that are not the title's.

    Anybody who can push may write an order to an agent into a file name. `author` is who shared the
    memory, or "" for the user.
    """
    named = re.fullmatch(_NAME, path.removesuffix(".md")) if author else None
    if not author or (named and named["words"] in {None, slug(title)}):
        return path
    return None
