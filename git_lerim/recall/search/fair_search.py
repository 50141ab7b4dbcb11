"""Search so that what others shared does not push the user's own memories out of the result.

This module imports little, so that `git lerim search` starts quickly.
"""

from collections.abc import Sequence

from git_lerim.recall.index.index_reader import OWN, Reader
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.query import Query, parse
from git_lerim.recall.search.search import Hit, search

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from datetime import datetime

    from git_lerim.recall.search.search import Near

SUMMARIES = 3  # the most session summaries among the hits that a person gets


def search_fairly(  # noqa: PLR0913 options with defaults
    index: Reader,
    query: str | Query,
    *,
    limit: int = 10,
    filters: Filters | None = None,
    paths: Sequence[str] = (),
    now: "datetime | None" = None,
    near: "Near | None" = None,
) -> list[Hit]:
    """Return the memories that match a query, as `search` does, with a share for the user's own.

    At least half of the hits are the user's, if that many match.
    """
    filters = filters or Filters()
    parsed = query if isinstance(query, Query) else parse(query)
    hits = search(index, parsed, limit=limit, filters=filters, paths=paths, now=now, near=near)
    share = _half(limit)
    if len(hits) < limit or sum(not hit.author for hit in hits) >= share:
        return hits
    phrases = parsed.phrases
    own = search(
        index, parsed, limit=share, filters=filters.of(OWN), paths=paths, now=now, near=near
    )
    if parsed.phrases != phrases:  # none of the user's has the phrase
        return hits
    known = {hit.key for hit in hits}
    added = [hit for hit in own if hit.key not in known]
    if near is not None:  # scores are by rank, and each ranks higher among the user's alone
        for hit in added:
            hit.score = min(hit.score, hits[-1].score)
    hits += added
    return fair(sorted(hits, key=lambda hit: -hit.score), limit)


def fair(ranked: Sequence[Hit], limit: int) -> list[Hit]:
    """Return the best hits up to a limit; at least half are the user's, if there are that many."""
    own = [hit.key for hit in ranked if not hit.author]
    of_others = [hit.key for hit in ranked if hit.author]
    first = {hit.key for hit in ranked[:limit]}
    kept = max(sum(key in first for key in own), min(len(own), _half(limit)))
    chosen = {*own[:kept], *of_others[: limit - kept]}
    return [hit for hit in ranked if hit.key in chosen]


def _half(limit: int) -> int:
    return (limit + 1) // 2


def with_summaries(
    index: Reader, query: str, memories: list[Hit], *, limit: int, by_score: bool = True
) -> list[Hit]:
    """Add the best session summaries for a query at the end of its hits, up to `limit` in total.

    If not all fit, the best memory stays, and the other places go to the highest scores, at least
    half of them to the user's. If `by_score` is false, because scores cannot be compared, memories
    come before summaries.
    """
    filters = Filters(primitive="summary")
    notes = [hit for hit in search(index, query, limit=SUMMARIES, filters=filters) if hit.score]
    rest = sorted([*memories[1:], *notes], key=lambda hit: -hit.score if by_score else 0)
    kept = [*memories[:1], *fair(rest, limit - len(memories[:1]))]
    return sorted(kept, key=lambda hit: hit.primitive == "summary")
