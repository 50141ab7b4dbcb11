"""Refuse memories by which an agent brings back what a person forgot, dropped or called wrong."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from git_lerim.actions.authorship import by_agent, refuse_agent
from git_lerim.actions.decisions import did_person_archive
from git_lerim.memories.feedback import disputed
from git_lerim.memories.memory import Memory, Status
from git_lerim.memories.quotes import without_leads
from git_lerim.memories.similarity.claim import claim, content, without_reason
from git_lerim.memories.similarity.similarity import least_shared, near_duplicate
from git_lerim.storage.review.dropped import dropped_in
from git_lerim.workspace import Workspace

_ARCHIVED = "archived"


def refuse_forgotten(ws: Workspace, memory: Memory, what: str) -> None:
    """Raise Declined if an agent writes again what a person forgot, dropped or called wrong."""
    if why := Forgotten(ws).why(memory):
        refuse_agent(ws, f"{what}: it {why}")


class Forgotten:
    """What a person forgot, dropped or called wrong, and no agent may write again."""

    def __init__(self, ws: Workspace) -> None:
        """Read nothing yet."""
        self._ws = ws

    def why(self, memory: Memory) -> str | None:
        """Return why an agent must not write a memory, or None; a person may write anything."""
        if not by_agent(self._ws):
            return None
        said = [memory.having(title=one) for one in _statements(memory)]
        for place in sorted({place for one in said for place in self._alike(one)}):
            old, title, did = self._gone[place]
            known = old.having(title=title, primitive=memory.primitive)
            if any(near_duplicate(one, known) for one in said) and (
                did != _ARCHIVED or did_person_archive(self._ws, old)
            ):
                return f"says the same as {old.id}, which a person {did}"
        return None

    def _alike(self, said: Memory) -> Iterator[int]:
        """Yield the positions of what has enough words of a title to say the same."""
        shared: Counter[int] = Counter()
        for word in claim(said.title).words:
            shared.update(self._by_word.get(word, ()))
        least = least_shared(said)
        return (place for place, count in shared.items() if count >= least)

    @cached_property
    def _gone(self) -> list[tuple[Memory, str, str]]:
        """Each memory, its title or its first sentence, and what was done to it."""
        return [
            (old, one, did) for old, did in self._put_away() for one in _statements(old, most=2)
        ]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """The positions in `_gone` of what has a word; a full claim of each would take long."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, (_, one, _) in enumerate(self._gone):
            for word in content(one):
                found[word].append(place)
        return found

    def _put_away(self) -> Iterator[tuple[Memory, str]]:
        stored = self._ws.store.snapshot().memories.values() if self._ws.has_memory() else ()
        for item in stored:
            if item.memory.status is Status.ARCHIVED:
                yield item.memory, _ARCHIVED
            elif disputed(item.feedback):
                yield item.memory, "called wrong"
        for memory in dropped_in(self._ws.place):
            yield memory, "dropped"


def _statements(memory: Memory, most: int | None = None) -> list[str]:
    """Return the title and the sentences of the body, at most `most`, also without reasons."""
    # the patterns take long to load
    from git_lerim.extraction.transcript.text import sentences  # noqa: PLC0415

    said = [memory.title, *sentences(without_leads(memory.body))][:most]
    return list(dict.fromkeys([*said, *map(without_reason, said)]))
