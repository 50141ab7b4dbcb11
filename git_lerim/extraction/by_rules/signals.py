"""What speaks for and against a passage, as numbers from 0 to 1."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import fsum

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.passage import Passage
from git_lerim.extraction.by_rules.turns import Act, Turn
from git_lerim.extraction.by_rules.words import identifiers, overlap, rarity, terms, weight
from git_lerim.sessions.session import Record, Role

ECHOES = ("echo", "echo_last", "in_summary", "human_echo", "corrected")  # who can say a term again
_FIRST_PERSON = frozenset(("I", "I’m", "I'm", "I’ve", "I've", "I’ll", "I'll"))


@dataclass(slots=True)
class Scene:
    """A session with what every passage of it is compared to."""

    records: Sequence[Record]
    turns: Sequence[Turn]
    passages: Sequence[Passage]
    bags: list[frozenset[str]]  # the topical terms of each passage
    rare: Mapping[str, float]
    heavy: list[float]  # the weight of each passage's terms
    acts: list[frozenset[str]]  # the topical terms of each turn's act
    later: Mapping[
        str, tuple[float | int, ...]
    ]  # of each term: how rare it is, and the last turn in which each of ECHOES says it
    spoken: int  # how many turns the session itself has, those of sub-agents not counted
    edits: bool  # whether a file was written in the session
    edited: list[bool]  # and in each turn
    likeness: dict[int, list[float]] = field(default_factory=dict)  # of the passages that were asked about

    def alike(self, one: int) -> list[float]:
        """Return, for every passage, the share of the rarer words of the lighter one that it has in common with one: 0 to 1."""
        if one not in self.likeness:
            bag, weighs = self.bags[one], self.heavy[one]
            both = zip((bag & other for other in self.bags), self.heavy, strict=True)
            self.likeness[one] = [weight(common, self.rare) / min(weighs, heavy) if common else 0.0 for common, heavy in both]
        return self.likeness[one]


def scene(records: Sequence[Record], all_turns: Sequence[Turn], found: Sequence[Passage]) -> Scene:
    """Return the scene of a session."""
    bags = [frozenset(chain.from_iterable(map(terms, (one.heading, *one.kept, one.said)))) for one in found]
    acts = [frozenset(terms(turn.said.text)) if turn.said else frozenset() for turn in all_turns]
    rare = rarity(bags)
    seen = _last_seen(all_turns, found, bags, acts)
    later = {term: (value, *(last.get(term, -1) for last in seen)) for term, value in rare.items()}
    spoken = sum(not turn.helper for turn in all_turns)
    edited = [any(records[index].files for index in turn.body) for turn in all_turns]
    edits = any(record.files for record in records)
    heavy = [weight(bag, rare) for bag in bags]
    return Scene(records, all_turns, found, bags, rare, heavy, acts, later, spoken, edits, edited)


def signals(stage: Scene, at: int) -> dict[str, float]:
    """Return the signals of one passage."""
    one = stage.passages[at]
    return _of_words(one) | _of_place(stage, one) | _of_acts(stage, one, at) | _of_echo(stage, one, at)


def _of_words(one: Passage) -> dict[str, float]:
    kept = one.kept
    count = len(kept)
    size = sum(map(len, kept))
    seen = Counter(mark for sentence in kept for mark in cues.marks(sentence))
    found = {name: min(seen.get(name, 0) / 3, 1.0) for name in cues.MARKS}
    names = identifiers(*kept)
    found |= {
        "edits": sum(bool(cues.EDITS.match(sentence)) for sentence in kept) / count,
        "size": min(size / 600, 1.0),
        "short": float(size < 120),
        "names": min(len(names) / 10, 1.0),
        "no_names": float(not names),
        "density": min(len(names) * 60 / size, 1.0),
        "paths": min(sum("/" in name for name in names) / 4, 1.0),
        "command": float("`" in one.text and any(cues.COMMAND.match(span) for span in one.text.split("`")[1::2])),
        "pruned": 1 - min(size / max(len(one.text), 1), 1.0),
        "first_person": min(sum(_first_person(sentence) for sentence in kept) / count, 1.0),
        "asks": float("?" in one.text),
        "lead": float(bool(one.lead)),
        "colon_lead": float(":" in kept[0][:40]),
    }
    return found | _of_heading(one.heading)


@lru_cache(maxsize=256)
def _of_heading(heading: str) -> dict[str, float]:
    return {f"heading_{name}": float(bool(pattern.search(heading))) for name, pattern in cues.HEADINGS.items()}


def _first_person(sentence: str) -> bool:
    return not _FIRST_PERSON.isdisjoint(sentence.split())


def _of_place(stage: Scene, one: Passage) -> dict[str, float]:
    turn = stage.turns[one.turn]
    record = stage.records[one.index]
    long = len(record.text)
    found = {
        f"source_{one.source}": 1.0,
        "first": float(one.first),
        "last": float(one.last),
        "middle": float(one.source == "reply" and not one.first and not one.last),
        "place": one.place,
        "whole": min(len(one.text) / max(long, 1), 1.0),
        "long_record": min(long / 3000, 1.0),
        "late": min(one.turn / max(stage.spoken - 1, 1), 1.0),
        "last_turn": float(one.turn == stage.spoken - 1),
        "first_turn": float(one.turn <= 1),
        "many_turns": min(stage.spoken / 30, 1.0),
        "replies": min(len(turn.replies) / 20, 1.0),
    }
    before = stage.records[max(0, one.index - 4) : one.index]
    after = stage.records[one.index + 1 : one.index + 5]
    found["after_failure"] = float(any(record.failed for record in before))
    found["cured"] = float(one.source == "diagnosis" and _cured(stage, one))
    found["before_edit"] = float(any(record.files for record in after))
    return found


def _cured(stage: Scene, one: Passage) -> bool:
    """Tell whether a failure is explained, and the command that failed succeeds later in the same turn."""
    if not any(cues.marks(sentence) & {"why", "limit", "insight"} for sentence in one.kept[:-1]):
        return False
    failed = stage.records[one.evidence[0]]
    calls = {record.call: record.command for record in stage.records if record.command and record.call}
    command = calls.get(failed.call or "")
    if not command:
        return False
    later = [index for index in stage.turns[one.turn].body if index > one.index]
    return any(
        record.role is Role.RESULT and not record.failed and calls.get(record.call or "", "").split()[:3] == command.split()[:3]
        for record in (stage.records[index] for index in later)
    )


def _of_acts(stage: Scene, one: Passage, at: int) -> dict[str, float]:
    turn = stage.turns[one.turn]
    following = stage.turns[one.turn + 1] if one.turn + 1 < len(stage.turns) else None
    near = one.first or one.last
    said = turn.said.text if turn.said else ""
    marks = cues.act_marks(said) if near else frozenset()
    edits = stage.edited[one.turn]
    found = {
        f"act_{turn.act}": float(near),
        f"next_{following.act}" if following else "next_none": float(one.last or one.source == "exchange"),
        "act_overlap": overlap(stage.bags[at], stage.acts[one.turn], stage.rare) if stage.acts[one.turn] else 0.0,
        "agrees": float(near and bool(turn.replies) and bool(cues.AGREE.match(stage.records[turn.replies[0]].text.lstrip()))),
        "act_long": float(near) * min(len(said) / 400, 1.0),
        "obeyed": float("act_directs" in marks and edits),
        "said": float(bool(one.said)),
        "edits_follow": float(edits),
    }
    found |= {name: float(name in marks) for name in cues.ACT_MARKS}
    if following and following.said and (one.last or one.source == "exchange"):
        found["doubted"] = float(bool(cues.DOUBTS.search(following.said.text)))
    return found


def _of_echo(stage: Scene, one: Passage, at: int) -> dict[str, float]:
    """Measure how much of the passage is said again later, by whom."""
    bag, turn = stage.bags[at], one.turn
    total = stage.heavy[at] or 1.0
    terms = [stage.later[term] for term in bag]
    found = {name: fsum([term[0] for term in terms if term[who] > turn]) / total for who, name in enumerate(ECHOES, 1)}
    found["rarity"] = min(total / (len(bag) or 1) / 6, 1.0)
    return found


def _last_seen(
    all_turns: Sequence[Turn], found: Sequence[Passage], bags: Sequence[frozenset[str]], acts: Sequence[frozenset[str]]
) -> list[dict[str, int]]:
    """Return, for each of ECHOES, the last turn in which a term is said."""
    said = list(zip(found, bags, strict=True))
    by_each: tuple[Iterable[tuple[int, frozenset[str]]], ...] = (
        ((one.turn, bag) for one, bag in said),
        ((one.turn, bag) for one, bag in said if one.last),
        ((one.turn, bag) for one, bag in said if one.source == "summary"),
        enumerate(acts),
        ((number, acts[number]) for number, turn in enumerate(all_turns) if turn.act in {Act.CORRECTION, Act.REJECTION}),
    )
    seen: list[dict[str, int]] = []
    for each in by_each:
        last: dict[str, int] = {}
        for number, bag in each:  # in the order of the turns
            last.update(dict.fromkeys(bag, number))
        seen.append(last)
    return seen
