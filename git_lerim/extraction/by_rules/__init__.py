"""Extract memories from a session by rules, without a model.

The memories quote what the user said, and what the agent said about its work. Each rule is a module
that yields findings (possible memories). Findings that later turns withdraw are dropped. What the
agent adds to a user's order becomes part of that order's finding. Only the best `MOST` findings are
kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from git_lerim.extraction.agent_orders import fit_title
from git_lerim.extraction.base import Candidate, Dropped, evidence_of
from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.from_agent.facts import facts
from git_lerim.extraction.by_rules.from_agent.lessons import lessons
from git_lerim.extraction.by_rules.from_agent.outcomes import outcomes
from git_lerim.extraction.by_rules.from_agent.plans import plan_decisions
from git_lerim.extraction.by_rules.from_agent.repairs import repairs
from git_lerim.extraction.by_rules.from_agent.summaries import summary_decisions
from git_lerim.extraction.by_rules.from_user.answers import answers
from git_lerim.extraction.by_rules.from_user.corrections import corrections
from git_lerim.extraction.by_rules.from_user.orders import orders
from git_lerim.extraction.by_rules.hints import hints
from git_lerim.extraction.by_rules.instructions import instructs
from git_lerim.extraction.by_rules.later_exceptions import with_exceptions
from git_lerim.extraction.by_rules.passed_over import passed_over
from git_lerim.extraction.by_rules.reversals import not_withdrawn, why_withdrawn
from git_lerim.extraction.by_rules.taken_back import taken_back, without_unsure_replacements
from git_lerim.extraction.by_rules.two_wishes import each_wish
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.summary import summarise
from git_lerim.extraction.transcript.turns import Turn, live_records, turns
from git_lerim.extraction.transcript.words import terms, topic_tags
from git_lerim.memories.checks.noise import noise
from git_lerim.memories.confidence import OF_ORIGIN
from git_lerim.memories.memory import Origin
from git_lerim.memories.quotes import Lead, without_leads
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.taking_back import tells_change
from git_lerim.sessions.session import Record, Role, Session

__all__ = ["extract", "summarise"]

MOST = 5  # memories of one session
_FILES = 5
_SAME_WORDS = 0.6
_SAME_QUESTION = 0.8  # higher, since the questions of one session share their subject


def extract(session: Session) -> list[Candidate | Dropped]:
    """Return a session's candidates in order of evidence, then the dropped ones with reasons."""
    records = live_records(session)
    all_turns = turns(records)
    stated = [*_found(records, all_turns, fit_title(session.header))]
    found = with_exceptions(stated, records, all_turns)
    clean = [one for one in found if not noise(one.title)]
    gone = why_withdrawn(clean, records, all_turns)
    valid = [one for place, one in enumerate(clean) if place not in gone]
    joined = _joined(valid)
    distinct = _distinct(joined)
    changes = [one for one in distinct if one.body.startswith(Lead.CHANGED)]
    best = [*_without(distinct, changes)[:MOST], *changes[:MOST]]
    said = {number for one in found for number in one.limited_in}
    said |= {one.turn for one in changes}
    hinted = not_withdrawn(hints(all_turns, said), records, all_turns)
    more = [one for one in hinted if not (noise(one.title) or _repeats(one, best))]
    likeliest = sorted(more, key=lambda one: -one.rank)[:MOST]
    kept = [
        _candidate(session, records, all_turns, one)
        for one in sorted([*best, *likeliest], key=lambda one: one.evidence)
    ]
    why = (
        (found, clean, "it says nothing worth keeping"),
        (joined, distinct, "another memory of the session says the same"),
        (distinct, best, f"{MOST} other memories of the session are more useful"),
    )
    return [
        *kept,
        *(
            _dropped(records, one, reason)
            for more, fewer, reason in why
            for one in _without(more, fewer)
        ),
        *(_dropped(records, clean[place], reason) for place, reason in gone.items()),
        *passed_over(records, all_turns, {at for one in found for at in one.evidence}),
    ]


def _without(more: Iterable[Finding], fewer: Iterable[Finding]) -> list[Finding]:
    left = set(map(id, fewer))
    return [one for one in more if id(one) not in left]


def _dropped(records: Sequence[Record], one: Finding, reason: str) -> Dropped:
    return Dropped(
        text=one.title,
        reason=reason,
        evidence=evidence_of(records[index].n for index in one.evidence),
    )


def _found(records: Sequence[Record], all_turns: Sequence[Turn], heading: str) -> Iterator[Finding]:
    yield from answers(records, all_turns)
    given = each_wish(orders(records, all_turns, heading))
    wanted = [*without_unsure_replacements(given, all_turns)]
    said = {(one.turn, one.said) for one in wanted if _gives_up(one.title)}
    yield from (one for one in taken_back(all_turns) if (one.turn, one.said) not in said)
    yield from wanted
    yield from corrections(records, all_turns)
    yield from plan_decisions(all_turns)
    yield from summary_decisions(records, all_turns)
    yield from outcomes(records, all_turns)
    yield from facts(records, all_turns)
    yield from lessons(records, all_turns)
    yield from repairs(records, all_turns)


def _gives_up(title: str) -> bool:
    stated = claim(title)
    return bool(stated.taken_back or stated.replaced)


def _joined(found: Sequence[Finding]) -> list[Finding]:
    """Return the findings, adding what the agent said about an order to the order's finding."""
    orders_of = {one.turn: one for one in found if one.origin is Origin.HUMAN and not one.adds}
    parts: dict[int, list[Finding]] = {}
    for one in found:
        if one.adds and one.turn in orders_of:
            parts.setdefault(one.turn, []).append(one)
    joined = (part for several in parts.values() for part in several)
    return [
        reduce(_with_part, parts.get(one.turn, []), one) if one is orders_of.get(one.turn) else one
        for one in _without(found, joined)
    ]


def _with_part(order: Finding, part: Finding) -> Finding:
    told = "" if part.title in order.body else f" {part.adds}"
    return replace(
        order, body=f"{order.body}{told}", evidence=(*order.evidence, *part.evidence[1:])
    )


def _distinct(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings, best first, without those that repeat a better one."""
    distinct: list[Finding] = []
    for one in sorted(findings, key=lambda one: (-one.rank, one.evidence)):
        if not any(_alike(one, other) for other in distinct[:MOST]):
            distinct.append(one)
    return distinct


def _repeats(hint: Finding, best: Sequence[Finding]) -> bool:
    """Return whether a hint repeats another finding, and is not what was said around it."""
    around = not tells_change(hint.title)
    return any(_alike(hint, one) for one in best if not (around and one.turn == hint.turn))


def _alike(one: Finding, other: Finding) -> bool:
    if claim(one.title).taken_back != claim(other.title).taken_back:
        return False
    mine, theirs = set(terms(one.said)), set(terms(other.said))
    both_answers = one.origin is other.origin is Origin.ANSWER
    most = _SAME_QUESTION if both_answers else _SAME_WORDS
    return bool(mine and theirs) and len(mine & theirs) / min(len(mine), len(theirs)) > most


def _candidate(
    session: Session, records: Sequence[Record], all_turns: Sequence[Turn], one: Finding
) -> Candidate:
    first = records[one.evidence[0]]
    cited = [records[index] for index in sorted(set(one.evidence))]
    return Candidate(
        primitive=one.primitive,
        kind=one.kind,
        title=one.title,
        body=one.body,
        confidence=OF_ORIGIN[one.origin],
        provenance=one.origin,
        tags=topic_tags(one.title),
        evidence=evidence_of(record.n for record in cited),
        origin=first.uuid or f"{session.id}#{first.n}",
        place="/".join(filter(None, (_number(session, first), one.place))),
        at=max((record.at for record in cited if record.at is not None), default=0),
        commit=next(
            (
                record.commit
                for record in reversed(records[: max(one.evidence) + 1])
                if record.commit
            ),
            None,
        ),
        files=one.files[:_FILES] or _files(records, all_turns[one.turn], one),
        # the phrases are git-lerim's, and no person said them
        suspect=suspicion(f"{one.title}\n{without_leads(one.body)}", cited) or _doubts(one, cited),
    )


def _doubts(one: Finding, cited: Sequence[Record]) -> str | None:
    """Return why a finding that rests on the agent's words alone must be withheld, or None.

    The agent may have repeated what a tool printed, so its words are judged like a colleague's.
    """
    if one.origin not in {Origin.REPAIR, Origin.RULES}:
        return None
    output = "\n".join(record.text for record in cited if record.role is Role.RESULT)
    if one.origin is Origin.REPAIR and instructs(f"{one.title}\n{one.body}", output):
        return "gives an instruction that is not a person's"
    # the rules take long to load
    from git_lerim.memories.checks.orders_of_others import asks_to_destroy, doubts  # noqa: PLC0415

    # its commands were run in the session
    known = doubts(one.title, one.body, runs=lambda _: True, weighed=False)
    return known or asks_to_destroy(one.title, one.body)


def _number(session: Session, record: Record) -> str:
    """Return a suffix if earlier records have the same number and role as a record, else ""."""
    stored = (each for each in session.records if each.n == record.n and each.part == record.part)
    place = place_of([each is record for each in stored if each.role is record.role].index(True))
    return f"#{place}" if place else ""


def _files(records: Sequence[Record], turn: Turn, one: Finding) -> tuple[str, ...]:
    """Return the files that a finding or its prompt names, else those its turn changed.

    If nothing is named and the turn changed more than three files, the result is empty.
    """
    text = f"{one.title} {one.body} {turn.said.text}"
    written = Counter(path for record in records for path in record.files if not record.failed)
    named = [path for path in written if path.replace("\\", "/").rsplit("/", 1)[-1] in text]
    if named:
        return tuple(sorted(named, key=lambda path: (-written[path], path))[:_FILES])
    changed = dict.fromkeys(
        path for index in turn.body for path in records[index].files if not records[index].failed
    )
    return tuple(changed) if len(changed) <= 3 else ()
