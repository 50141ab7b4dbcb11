"""Find the memories about a prompt or an error: the user's by themselves, then those of others.

What others share and agents note neither displaces the user's memories nor makes their words count
as common.
This module imports the search, so it is itself imported only where there is something to find.
"""

from collections.abc import Iterator, Sequence

from git_lerim.recall.answers.evidence import Evidence, QuestionTerms
from git_lerim.recall.answers.quotation import quote
from git_lerim.recall.brief.prompt import plain_query
from git_lerim.recall.brief.recent import AGENT
from git_lerim.recall.index.index_reader import (
    ALL,
    OF_OTHERS,
    OWN,
    Reader,
    any_of,
    mark,
    quoted,
)
from git_lerim.recall.search.fair_search import search_fairly
from git_lerim.recall.search.filters import Filters
from git_lerim.recall.search.query import Query, parse
from git_lerim.recall.search.search import Hit, search

# Total weight of the prompt's words (natural logarithms of rarity) that one sentence of a memory
# must contain: about two rare words. For a short prompt, the share NEARLY of its weight is enough.
EVIDENCE = 9.0
NEARLY = 0.6
OF_AGENTS = mark("origin", AGENT)
OF_PERSONS = any_of(mark("origin", origin) for origin in ("human", "answer"))
WORTH = 0.6  # share of the best memory's worth that another memory must reach


def about(index: Reader, prompt: str, limit: int, paths: Sequence[str]) -> Iterator[Hit]:
    """Yield memories about a prompt: the user's, then the notes of agents, then those of others.

    In each group, the best come first. One sentence of a memory must contain enough of the prompt's
    rarer words. `paths` are the files being worked on.
    """
    query = parse(plain_query(prompt))
    for hits, asked in of_each(index, query, limit, paths) if query.terms else ():
        enough = min(EVIDENCE, NEARLY * sum(asked.weights.values()))
        found = [
            hit for hit in hits if (one := Evidence(hit, asked)).sentence + one.pairs >= enough
        ]
        quoted = {hit.key: quote(hit.title, hit.body, asked) for hit in found}
        best = max((one.worth for one in quoted.values()), default=0.0)
        for hit in sorted(found, key=lambda hit: -quoted[hit.key].worth):
            if quoted[hit.key].worth >= WORTH * best:
                hit.line = quoted[hit.key].headed
                yield hit


def of_each(
    index: Reader, query: Query, limit: int, paths: Sequence[str] = ()
) -> Iterator[tuple[list[Hit], QuestionTerms]]:
    """Yield the user's hits, notes of agents, and hits of others, with the weights of words there.

    Together they are at most `limit`; at least half are the user's, if that many match. If notes
    of agents take the places of the user's memories, the user's own words get half of these places.
    """
    hits = search_fairly(index, query, limit=limit, paths=paths)
    own = [hit for hit in hits if not hit.author]
    notes = [hit for hit in own if hit.origin == AGENT]
    if len(hits) == limit and 2 * len(notes) > len(own):
        said = search(
            index,
            query,
            limit=(len(own) + 1) // 2,
            paths=paths,
            filters=Filters(matching=(quoted(OWN), OF_PERSONS)),
        )
        known = {hit.key for hit in said}
        own = [*said, *(hit for hit in own if hit.key not in known)][: len(own)]
    of_others = [hit for hit in hits if hit.author]
    whose = OWN if index.frequency([0], OF_OTHERS) else ALL
    if said := [hit for hit in own if hit.origin != AGENT]:
        noted = OF_AGENTS if index.frequency([0], OF_AGENTS) else ""
        yield said, QuestionTerms(index, query, whose, noted)
    if notes := [hit for hit in own if hit.origin == AGENT]:
        yield notes, QuestionTerms(index, query, whose)
    if of_others:
        yield of_others, QuestionTerms(index, query)
