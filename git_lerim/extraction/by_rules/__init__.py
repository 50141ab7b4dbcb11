"""Extraction offline: what a session decided and taught, by rules and a few trained weights.

A session becomes turns, turns become passages, signals say what a passage is worth; the best of each topic becomes a memory.
"""

from collections.abc import Container, Mapping

from git_lerim.extraction.base import Candidate, Evidence
from git_lerim.extraction.by_rules import kinds
from git_lerim.extraction.by_rules.body import Text, compose
from git_lerim.extraction.by_rules.choice import choose
from git_lerim.extraction.by_rules.leanings import leaning
from git_lerim.extraction.by_rules.model import leans, trained, worth
from git_lerim.extraction.by_rules.passages import passages
from git_lerim.extraction.by_rules.signals import Scene, scene, signals
from git_lerim.extraction.by_rules.summary import summarise
from git_lerim.extraction.by_rules.suspect import suspicion
from git_lerim.extraction.by_rules.titles import tells_state, titles
from git_lerim.extraction.by_rules.turns import Act, living, turns
from git_lerim.memories.memory import Primitive
from git_lerim.sessions.session import Record, Session

__all__ = ["extract", "summarise"]

_MERIT = 0.6  # of a title that says something by itself


def extract(session: Session, weights: Mapping[str, float] | None = None) -> list[Candidate]:
    """Return what is worth keeping of a session, in the order of the evidence; `weights` stand in for the package's own."""
    stage = survey(session)
    scale = trained() if weights is None else weights
    found = [signals(stage, at) for at in range(len(stage.passages))]
    worths = [worth(one, scale) for one in found]
    named: dict[int, tuple[str, Text]] = {}

    def stands(at: int) -> bool:
        text = compose(stage, worths, at)
        name = _name(stage, at, text, {one for one, _ in named.values()})
        if name:
            named[at] = name, text
        return bool(name)

    chosen = sorted(choose(stage, worths, stands), key=lambda at: (stage.passages[at].index, at))
    lean = leaning(stage, found)
    return [_candidate(session, stage, at, leans(lean(at, *named[at]), scale), named[at]) for at in chosen]


def _name(stage: Scene, at: int, text: Text, taken: Container[str]) -> str:
    """Return the best title that stands alone and that no other memory has, or nothing; what the human answered has one.

    Where the best one only says how the work stands, nothing: that is over before the memory is read.
    """
    seed = stage.passages[at]
    offers = titles(text.sentences, seed.lead, seed.heading, text.said)
    answered = seed.source == "exchange" and stage.turns[seed.turn].act is Act.ANSWER
    fair = [name for merit, name in offers if name not in taken and (answered or merit >= _MERIT)]
    return fair[0] if fair and (answered or not tells_state(fair[0])) else ""


def survey(session: Session) -> Scene:
    """Return a session's passages with all that they are weighed against."""
    records = living(session)
    all_turns = turns(records)
    return scene(records, all_turns, passages(records, all_turns))


def _candidate(session: Session, stage: Scene, at: int, likely: float, named: tuple[str, Text]) -> Candidate:
    name, text = named
    seed = stage.passages[at]
    cited = [stage.records[index] for index in text.evidence]
    sort = kinds.primitive(stage, seed, name, likely)
    return Candidate(
        primitive=sort,
        kind=None if sort is Primitive.DECISION else kinds.kind(stage, seed, text),
        title=name,
        body=text.body,
        confidence=kinds.confidence(stage, seed, text),
        tags=kinds.tags(name, text.sentences),
        evidence=_evidence(cited),
        origin=_origin(session, stage.records[seed.evidence[0]]),
        at=max((record.at for record in cited if record.at is not None), default=0),
        commit=next((record.commit for record in reversed(stage.records[: text.evidence[-1] + 1]) if record.commit), None),
        files=kinds.files(stage, seed, text),
        suspect=suspicion(f"{name}\n{text.body}", cited),
    )


def _origin(session: Session, record: Record) -> str:
    place = f"{session.id}/{record.part}" if record.part else session.id
    return record.uuid or f"{place}#{record.n}"


def _evidence(cited: list[Record]) -> tuple[Evidence, ...]:
    """Return the cited records as ranges, the session's own file first."""
    found = []
    for part in sorted({record.part for record in cited}, key=lambda name: name or ""):
        ranges: list[tuple[int, int]] = []
        for number in sorted({record.n for record in cited if record.part == part}):
            if ranges and number - ranges[-1][1] <= 2 and number - ranges[-1][0] < 40:
                ranges[-1] = (ranges[-1][0], number)
            else:
                ranges.append((number, number))
        found.append(Evidence(part=part, records=tuple(ranges)))
    return tuple(found)
