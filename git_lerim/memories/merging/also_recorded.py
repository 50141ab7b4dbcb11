"""The section `## Also recorded` of a body: what a merge dropped, with author and day."""

import re
from collections.abc import Iterable
from datetime import datetime

from git_lerim.memories.format.body import ALSO_RECORDED
from git_lerim.tokens import visible

OMITTED = "- Older entries were left out for their length; the history of this file has them."
_NAME_LIMIT = 60  # characters
_SECTION = re.compile(rf"^{ALSO_RECORDED}[ \t]*(?:\n|\Z)", re.MULTILINE)


def entry(at: datetime, by: str, text: str, field: str = "") -> str:
    """Return an entry with day and author, and either a field's value or a paragraph."""
    who = f"- {at:%Y-%m-%d} {' '.join(visible(by).split())[:_NAME_LIMIT] or 'somebody'}"
    if field:
        return f"{who}, {field}: {' '.join(text.split())}"
    return f"{who}:\n" + "\n".join(f"  {row}".rstrip() for row in text.split("\n"))


def split(body: str) -> tuple[str, list[str]]:
    """Return a body without the section, and the section's entries, including malformed ones."""
    parts = _SECTION.split(body)
    entries: list[str] = []
    for row in "\n".join(parts[1:]).split("\n"):
        if entries and not row.startswith("- "):
            entries[-1] += f"\n{row}"
        elif row.strip():
            entries.append(row)
    return parts[0].rstrip(), [kept for one in entries if (kept := one.rstrip())]


def join(text: str, entries: Iterable[str]) -> str:
    """Append the section to a text, with its entries sorted by day and without duplicates."""
    ordered = sorted(set(entries), key=lambda one: (one == OMITTED, one))
    return f"{text}\n\n{ALSO_RECORDED}\n\n" + "\n".join(ordered) if ordered else text
