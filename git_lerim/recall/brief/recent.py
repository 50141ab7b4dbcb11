"""Rank the newest memories by how much they help a session that starts.

This module imports little, because hooks load it each time the user prompts an agent.
"""

from collections.abc import Sequence

from git_lerim.memories.rule_files import is_rule_file
from git_lerim.recall.brief.brief import LONG_NOTE, Pick
from git_lerim.recall.brief.by_author import in_turn, newest_of_each
from git_lerim.recall.index.index_reader import Document, Reader, mark

ACTIVE = (0,)  # the area of active memories; others are never handed out
MODEL = "model"  # the origin of what a model wrote about a session

AGENT = "agent"  # the origin of what an agent noted

NEWEST = 60  # newest memories that compete for "Recent"
BEHIND = 300  # newest memories that compete if some of them are from files that agents load anyway
NOTES = 30  # of these, agents' notes that compete however many other memories there are
HALVED = 2  # a memory's worth is halved for each `limit` newer ones
SAYS = 25  # different words up to which more words make a memory worth more
SAYS_NOTHING = 3  # a memory with fewer words is left out
OF_SESSION = 3  # recent memories of one session that come before those of others
# Readers found few of a model's facts and insights worth their tokens at the start of a session. Of
# all its lines they found 65 % worth it, and 79 % of those with a worth of at least .4.
ASIDE = {"fact": 0.5, "insight": 0.5}
USUAL = 0.5  # the worth of a memory without an estimate
LEAST = 0.4  # the worth that a memory needs here, where there are enough others
ENOUGH = 4
LONG = 12  # characters per word, at most, to estimate the number of words


def recent(index: Reader, limit: int) -> list[Pick]:
    """Return the newest memories, ranked by confidence, content and age.

    The user's memories and those of others alternate. Memories imported from a file that agents
    load anyway come last. A memory's worth is halved for every `limit` newer ones, but agents'
    notes make no other memories older.
    """
    every = newest_of_each(index, ACTIVE, BEHIND)
    no_notes = newest_of_each(index, ACTIVE, BEHIND, without=mark("origin", AGENT))
    return list(
        in_turn(
            Pick(document, "recent")
            for keys, others in zip(every, no_notes, strict=True)
            for document in _ranked(_competing(index, keys, others), limit)
        )
    )


def _competing(index: Reader, keys: Sequence[int], others: Sequence[int]) -> list[Document]:
    """Return the memories that compete, the newest first.

    `keys` lists the newest memories, and `others` the newest that are not agents' notes.
    """
    newest = _newest(index, keys)
    notes = [one for one in newest if one.origin == AGENT]
    if not notes:
        return newest
    rest = _newest(index, others)[: NEWEST - min(len(notes), NOTES)]
    return sorted(
        [*rest, *notes[: NEWEST - len(rest)]], key=lambda one: (is_loaded_anyway(one), -one.key)
    )


def _newest(index: Reader, keys: Sequence[int]) -> list[Document]:
    newest = index.documents(keys[:NEWEST], Document)
    if any(map(is_loaded_anyway, newest)):  # an import brings many at once: look further back
        newest = sorted(index.documents(keys, Document), key=is_loaded_anyway)[:NEWEST]
    return newest


def _ranked(newest: Sequence[Document], limit: int) -> list[Document]:
    """Return the memories worth handing out, best first; `newest` lists the newest first."""
    others = [one.key for one in newest if one.origin != AGENT]
    places = {one.key: place for place, one in enumerate(newest)}
    places |= {key: place for place, key in enumerate(others)}
    worth = {
        one.key: (
            one.confidence
            * _estimated(one)
            * min(words / SAYS, 1)
            * _in_a_line(one)
            * HALVED ** (-places[one.key] / limit)
        )
        for one in newest
        if (words := _words(f"{one.title} {one.body}")) >= SAYS_NOTHING
    }
    chosen = {one.key: one for one in newest if one.key in worth}
    mixed = _mixed(
        sorted(chosen.values(), key=lambda one: (is_loaded_anyway(one), -worth[one.key], -one.key))
    )
    good = [one for one in mixed if one.worth is None or one.worth >= LEAST]
    return good if len(good) >= ENOUGH else mixed


def _estimated(document: Document) -> float:
    """Return a factor for how useful a memory is, as the model that wrote it estimated.

    For a memory that somebody else shared, the factor is at most 1.
    """
    if document.origin != MODEL:
        return 1.0
    worth = (USUAL if document.worth is None else document.worth) / USUAL
    return (
        ASIDE.get(document.kind or "", 1.0) * (min(worth, 1.0) if document.author else worth) ** 2
    )


def _mixed(ranked: Sequence[Document]) -> list[Document]:
    """Keep the order, but move all but the first few memories of each session to the end."""
    counts: dict[str, int] = {}
    first: list[Document] = []
    rest: list[Document] = []
    for one in ranked:
        session = f"{one.agent}/{one.session}" if one.session else one.id
        counts[session] = counts.get(session, 0) + 1
        (first if counts[session] <= OF_SESSION else rest).append(one)
    return [*first, *rest]


def is_loaded_anyway(document: Document) -> bool:
    """Return whether a memory was imported from a file that agents load by themselves."""
    return document.agent == "import" and is_rule_file(document.session or "")


def _in_a_line(document: Document) -> float:
    """Return the share of a memory that fits into one line, from 0 to 1."""
    return min(1.0, LONG_NOTE / max(len(document.body), 1))


def _words(text: str) -> int:
    """Return roughly how many different words a text has, also in scripts without spaces."""
    return max(len(set(text.lower().split())), len(text) // LONG)
