"""Choose the user's memories and others' separately, so that neither group crowds out the other.

This module imports little, because hooks load it each time the user prompts an agent.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from git_lerim.recall.brief.brief import Pick
from git_lerim.recall.index.index_reader import ALL, OF_OTHERS, OWN, Reader, quoted


def newest_of_each(
    index: Reader, areas: Sequence[int], limit: int, term: str = ALL, *, without: str = ""
) -> tuple[list[int], list[int]]:
    """Return the keys of the newest memories with a term, as two lists: the user's, and others'.

    Each list has at most `limit` keys, the newest first. Memories with the term `without` are left
    out.
    """
    wanted = f"{quoted(term)} NOT {quoted(without)}" if without else quoted(term)
    found = index.newest(areas, limit, wanted)
    if len(found) < limit:  # all that there are, which is the usual case
        theirs = {key for key, author in index.values("key, author", found) if author}
        return [key for key in found if key not in theirs], [key for key in found if key in theirs]
    own, of_others = (
        index.newest(areas, limit, f"({wanted}) AND {quoted(whose)}") for whose in (OWN, OF_OTHERS)
    )
    return own, of_others


def in_turn(ranked: Iterable[Pick]) -> Iterator[Pick]:
    """Yield memories of the user and memories of others in turn, the best of each first.

    `ranked` lists both, the best first.
    """
    ranked = list(ranked)
    own = [pick for pick in ranked if not pick.document.author]
    of_others = [pick for pick in ranked if pick.document.author]
    return (pick for pick in chain.from_iterable(zip_longest(own, of_others)) if pick)
