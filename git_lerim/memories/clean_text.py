"""Normal forms of texts and times."""

import re
from datetime import UTC, datetime

from git_lerim.tokens import visible

# The start of a line in a body that git would take for a conflict marker. The line is indented by
# one space, because files with conflicts are refused when they are read.
_MARKER = re.compile(r"^(?=<{7}|>{7})", re.MULTILINE)


def _is_plain(value: str) -> bool:
    return value.isascii() and value.isprintable()


def text(value: str) -> str:
    """Return text without invisible characters.

    They are removed twice, since removing some can join two halves of a character.
    """
    return value if _is_plain(value) else visible(visible(value))


def line(value: str) -> str:
    """Return text as one line, without invisible characters and redundant space."""
    return " ".join(text(value).split())


def clean_body(body: str) -> str:
    """Return a body without invisible characters and surrounding space.

    Lines that look like the markers of a merge conflict are indented.
    """
    shown = body.strip()
    if not _is_plain(shown.replace("\n", "").replace("\t", "")):
        shown = "\n".join(
            text(part) for part in shown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        ).strip()
    return _MARKER.sub(" ", shown) if "<<<<<<<" in shown or ">>>>>>>" in shown else shown


def utc(moment: datetime) -> datetime:
    """Return a time in UTC and whole seconds; a time without a zone is taken as UTC."""
    if moment.tzinfo is not UTC:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.replace(microsecond=0) if moment.microsecond else moment
