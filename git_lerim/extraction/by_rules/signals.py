"""What speaks for and against a passage, as numbers from 0 to 1."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.passage import Passage
from git_lerim.extraction.by_rules.turns import Act, Turn
from git_lerim.extraction.by_rules.words import identifiers, overlap, rarity, terms, weight
from git_lerim.sessions.session import Record, Role

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
    later: Mapping[str, Mapping[str, int]]  # by who says it: the last turn in which a term is said
    spoken: int  # how many turns the session itself has, those of sub-agents not counted

    def alike(self, one: int, other: int) -> float:
        """Return the share of the rarer words of the lighter passage that both have: 0 to 1."""
        common = self.bags[one] & self.bags[other]
        return weight(common, self.rare) / min(self.heavy[one], self.heavy[other]) if common else 0.0


def scene(records: Sequence[Record], all_turns: Sequence[Turn], found: Sequence[Passage]) -> Scene:
    """Return the scene of a session."""
    bags = [frozenset(terms(f"{one.heading} {' '.join(one.kept)} {one.said}")) for one in found]
    acts = [frozenset(terms(turn.said.text)) if turn.said else frozenset() for turn in all_turns]
    corrections = {Act.CORRECTION, Act.REJECTION}
    later = {
        "echo": _last_seen((one.turn, bag) for one, bag in zip(found, bags, strict=True)),
        "echo_last": _last_seen((one.turn, bag) for one, bag in zip(found, bags, strict=True) if one.last),
        "in_summary": _last_seen((one.turn, bag) for one, bag in zip(found, bags, strict=True) if one.source == "summary"),
        "human_echo": _last_seen(enumerate(acts)),
        "corrected": _last_seen((number, acts[number]) for number, turn in enumerate(all_turns) if turn.act in corrections),
    }
    rare = rarity(bags)
    spoken = sum(not turn.helper for turn in all_turns)
    return Scene(records, all_turns, found, bags, rare, [weight(bag, rare) for bag in bags], acts, later, spoken)


def signals(stage: Scene, at: int) -> dict[str, float]:
    """Return the signals of one passage."""
    one = stage.passages[at]
    return _of_words(one) | _of_place(stage, one) | _of_acts(stage, one, at) | _of_echo(stage, one, at)


def _of_words(one: Passage) -> dict[str, float]:
    kept = one.kept
    count = len(kept)
    size = sum(map(len, kept))
    seen = Counter(mark for sentence in kept for mark in cues.marks(sentence))
    found = {name: min(seen[name] / 3, 1.0) for name in cues.MARKS}
    names = identifiers(" ".join(kept))
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
    for name, pattern in cues.HEADINGS.items():
        found[f"heading_{name}"] = float(bool(one.heading) and bool(pattern.search(one.heading)))
    return found


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
    edits = any(stage.records[index].files for index in turn.body)
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
    bag, rare = stage.bags[at], stage.rare
    total = stage.heavy[at] or 1.0
    found = {
        name: sum([rare.get(term, 1.0) for term in bag if seen.get(term, -1) > one.turn]) / total
        for name, seen in stage.later.items()
    }
    found["rarity"] = min(total / (len(bag) or 1) / 6, 1.0)
    return found


def _last_seen(number_and_bag: Iterable[tuple[int, frozenset[str]]]) -> dict[str, int]:
    seen: dict[str, int] = {}
    for number, bag in number_and_bag:  # in the order of the turns
        seen.update(dict.fromkeys(bag, number))
    return seen
