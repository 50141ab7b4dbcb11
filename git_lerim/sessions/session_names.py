"""Find the session that a text names."""

import re
from collections.abc import Iterable

from git_lerim.errors import UnknownMemory
from git_lerim.sessions.entry import Entry

_SHORTEST_END = 8  # characters: as many as the short names of sessions have


def find_session(entries: Iterable[Entry], name: str) -> Entry:
    """Return the entry of the session that a text names, in a form that `names` accepts.

    Raises UnknownMemory if the text names no session, or several.
    """
    matching = [entry for entry in entries if names(entry, name)]
    found = [entry for entry in matching if name in {entry.name, entry.id}] or matching
    if len(found) != 1:
        matches = "no session is" if not found else f"{len(found)} sessions are"
        raise UnknownMemory(
            f"{matches} called {name!r}",
            hint="git lerim sessions --all lists them; the beginning or end of an id is enough",
        )
    return found[0]


def names(entry: Entry, text: str) -> bool:
    """Return whether a text names a session: as listings do, or as `is_named` allows."""
    return entry.name == text or is_named(text, entry.agent, entry.id)


def is_named(text: str, agent: str, id_: str) -> bool:
    """Return whether a text is `<agent>/<id>`, an id, or the beginning or the end of an id.

    The end may be given in any case and with any punctuation, as in the short names of sessions.
    """
    part = text.removeprefix(f"{agent}/")
    end = _plain(part)
    return (part != "" and id_.startswith(part)) or (
        len(end) >= _SHORTEST_END and _plain(id_).endswith(end)
    )


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
