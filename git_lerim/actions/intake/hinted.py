"""Decide, beside what is stored, about what may have ended an earlier wish of the user.

Such a hint is worth keeping only if there is something that it ends. If its paragraph holds a wish
that is kept anyway, the wish quotes the whole paragraph instead.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from git_lerim.actions.intake.session_memories import Kept
from git_lerim.extraction.base import Dropped
from git_lerim.memories.memory import Memory
from git_lerim.memories.quotes import Lead, in_quotes
from git_lerim.memories.similarity.claim import content
from git_lerim.memories.similarity.taking_back import only_hints, said_in, takes_back
from git_lerim.tokens import clip

if TYPE_CHECKING:
    from git_lerim.storage.base import Store

_SHOWN = 200  # characters of a dropped text
_REASON = "it would only count if it ended an earlier wish"


def settle_hints(kept: Kept, store: "Store") -> Kept:
    """Return what is kept of a session, without the hints that end none of the stored memories."""
    hints = [memory for memory in kept.memories if only_hints(memory)]
    if not hints:
        return kept
    stored = [item.memory for item in store.snapshot().memories.values()]
    everything = [*stored, *kept.memories]
    dropped: list[Dropped] = []
    fuller: dict[str, Memory] = {}
    needless: set[str] = set()
    for hint in hints:
        if wish := _wish_in(hint, kept.memories):
            told = _as_told(wish, hint)
            if _ends_any(told, everything) and not _ends_any(wish, everything):
                fuller[wish.id] = told
            needless.add(hint.id)
        elif not _ends_any(hint, everything):
            if _concerns_any(hint, everything):
                dropped.append(Dropped(text=clip(hint.title, _SHOWN), reason=_REASON))
            needless.add(hint.id)
    told_in_full = tuple(fuller.get(memory.id, memory) for memory in kept.memories)
    settled = replace(kept, memories=told_in_full, dropped=(*kept.dropped, *dropped))
    return settled.without(needless)


def _ends_any(one: Memory, others: Sequence[Memory]) -> bool:
    return any(other.created < one.created and takes_back(one, other) for other in others)


def _concerns_any(hint: Memory, others: Sequence[Memory]) -> bool:
    """Return whether an earlier title has a word of a hint; else nobody asks why it was dropped."""
    words = content(said_in(hint))
    return any(one.created < hint.created and words & content(one.title) for one in others)


def _wish_in(hint: Memory, memories: Sequence[Memory]) -> Memory | None:
    """Return the memory of the same message whose words are among those of a hint, or None."""
    said = said_in(hint).casefold()
    return next(
        (
            one
            for one in memories
            if one.sources == hint.sources
            and one.body.startswith(Lead.ASKED_FOR)
            and said_in(one).rstrip(".!?").casefold() in said
        ),
        None,
    )


def _as_told(wish: Memory, hint: Memory) -> Memory:
    """Return a wish with the words around it that a hint quotes."""
    quote = f"{Lead.ASKED_FOR}{in_quotes(said_in(wish))}"
    told = f"{Lead.ASKED_FOR}{in_quotes(said_in(hint))}"
    return replace(wish, body=wish.body.replace(quote, told))
