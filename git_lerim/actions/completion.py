"""Shell completion of memory ids, with their titles."""

from git_lerim.actions.listing import list_memories
from git_lerim.actions.mistrust import titles
from git_lerim.errors import LerimError
from git_lerim.recall.fast import list_cache
from git_lerim.tokens import clip, printable
from git_lerim.workspace import open_workspace

_LENGTH = 70  # characters of a title


def complete_ids(
    prefix: str, *, everything: bool = False, personal: bool = False
) -> list[tuple[str, str]]:
    """Return the ids and titles of active (or all) memories with a prefix, newest first.

    Any error yields an empty list, because a shell asks while the user is typing.
    """
    known = None if everything or personal else list_cache.titles()
    if known is None:
        try:
            ws = open_workspace(personal=personal)
            chosen = list_memories(ws.store.snapshot(), everything=everything)
            memories = [item.memory for item in chosen]
            ids = [memory.id for memory in memories]
            known = list(zip(ids, titles(ws, memories), strict=True))
        except (LerimError, OSError):
            return []
    return [
        (id_, clip(" ".join(printable(title).split()), _LENGTH))
        for id_, title in known
        if id_.startswith(prefix.lower())
    ]
