"""What sort of memory a passage is, how sure we are of it, and which files and tags go with it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.body import Text
from git_lerim.extraction.by_rules.passage import Passage
from git_lerim.extraction.by_rules.signals import Scene
from git_lerim.extraction.by_rules.text import blocks, sentences
from git_lerim.extraction.by_rules.turns import Act, Turn
from git_lerim.extraction.by_rules.words import identifiers, terms
from git_lerim.memories.memory import Kind, Primitive
from git_lerim.sessions.session import Role

_TAG = re.compile(r"^[a-z][a-z0-9_.-]{2,29}$")
_PROCEDURE = re.compile(r"(?:re-?)?(?:run|install) `", re.IGNORECASE)  # a title that tells how a thing is done
_EVEN = 0.5
_BLAMES = 0.6  # the signal of two sentences that tell what went wrong
_OPENING = 1500  # characters of a prompt that say what it is about
_FILES = 8
_TAGS = 4


def primitive(stage: Scene, seed: Passage, title: str, leans: float) -> Primitive:
    """Tell a decision, which rests on what the human chose or accepted, from a learning, which the agent met.

    `leans` is how likely the first is; what the human answered to a question always is, the cause of a failure, how to
    run a thing and how the human wants all work of a sort to be done never are.
    """
    bound = seed.source == "exchange"
    if bound and stage.turns[seed.turn].act is Act.ANSWER:
        return Primitive.DECISION
    taught = _diagnosed(stage, seed) or (bound and _ruled(stage, seed)) or _PROCEDURE.match(title)
    return Primitive.DECISION if leans > _EVEN and not taught else Primitive.LEARNING


def _diagnosed(stage: Scene, seed: Passage) -> bool:
    """Tell whether the agent speaks of a failure; where the human spoke after it, the agent speaks of what he said."""
    return seed.source == "diagnosis" and seed.evidence[0] > (stage.turns[seed.turn].index or 0)


def _ruled(stage: Scene, seed: Passage) -> bool:
    """Tell whether the human said how all work of a sort is to be done: that is a preference."""
    said = stage.turns[seed.turn].said
    told = [one for block in blocks(said.text[:_OPENING]) for one in sentences(block.text)] if said else []
    return any(cues.ALL_WORK.search(one) and cues.WORKFLOW.search(one) and not one.endswith("?") for one in told)


def chosen(stage: Scene, seed: Passage, said: Mapping[str, float], title: str) -> bool:
    """Tell whether a passage, taken alone, says what the human chose."""
    turn = stage.turns[seed.turn]
    if seed.source == "plan" or (seed.last and _carries_out_plan(turn)):
        return True
    if seed.source in {"summary", "report", "diagnosis"} or wished(stage, seed):
        return False
    if said.get("edits_follow", 0) and said.get("cause", 0) < _BLAMES and cues.SETTLED.search(title):
        return True
    return said.get("cause", 0) <= said.get("choice", 0) and _chosen(stage, seed, said)


def _chosen(stage: Scene, seed: Passage, said: Mapping[str, float]) -> bool:
    """Tell whether the human chose: gave an order that was followed, or said what the agent then agreed to."""
    turn = stage.turns[seed.turn]
    words = turn.said.text if turn.said else ""
    bound = seed.source == "exchange"
    agreed = bool(said.get("agrees", 0))
    chooses = said.get("choice", 0) > (0.6 if stage.edits else 0.3)  # without a change, nothing but design was done
    match turn.act:
        case Act.ANSWER | Act.APPROVAL:
            return bound or seed.first or seed.last
        case Act.REJECTION:
            return bound and bool(cues.DIRECTS.search(words))
        case Act.CORRECTION if not cues.CLARIFIES.search(words):
            return (bound or seed.first or seed.last) and (agreed or not _only_asks(words))
        case Act.DIRECTIVE:
            return said.get("cause", 0) < _BLAMES if bound else chooses or (agreed and bool(said.get("edits_follow", 0)))
        case Act.FIRST:
            return bound and bool(said.get("obeyed", 0)) and not cues.INQUIRES.match(words) and not said.get("cause", 0)
        case _:
            return chooses and agreed


def _carries_out_plan(turn: Turn) -> bool:
    """Tell whether a turn carries out a plan that the human approved or handed over; a brief leaves open what to choose."""
    handed = turn.said is not None and (turn.said.role is Role.APPROVAL or cues.HANDS_PLAN.search(turn.said.text[:_OPENING]))
    return turn.act is Act.PLAN and bool(handed)


def _only_asks(words: str) -> bool:
    return all(sentence.endswith("?") for sentence in sentences(words))


def wished(stage: Scene, seed: Passage) -> bool:
    """Tell whether the human said how work is to be done, not what the product shall be."""
    said = stage.turns[seed.turn].said
    wishes = said is not None and (cues.WISHES.search(said.text) or (said.role is Role.REJECTION and cues.ORDER.match(said.text)))
    return said is not None and bool(wishes) and bool(cues.WORKFLOW.search(said.text))


def kind(stage: Scene, seed: Passage, text: Text) -> Kind:
    """Return what sort of learning a passage is."""
    body = " ".join(text.sentences)
    if seed.source == "exchange" and wished(stage, seed):
        return Kind.PREFERENCE
    if re.search("preference", seed.heading, re.IGNORECASE):
        return Kind.PREFERENCE
    causes = len(cues.CAUSE.findall(body))
    if any(" " in span and cues.COMMAND.match(span) for span in body.split("`")[1::2]) and causes < 2:
        return Kind.PROCEDURE
    if causes or any(stage.records[index].failed for index in range(max(0, seed.index - 4), seed.index)):
        return Kind.PITFALL
    return Kind.INSIGHT if cues.INSIGHT.search(body) else Kind.FACT


def confidence(stage: Scene, seed: Passage, text: Text) -> float:
    """Return how sure a memory is, by who stands behind it.

    A structured answer or an approved plan 0.9, an approval 0.8, the human's order or correction 0.75, an error whose
    cause was found 0.7, what the agent says again later 0.6, what it says once 0.5; a tenth less where that is hedged.
    """
    act = stage.turns[seed.turn].act
    bound = seed.source in {"exchange", "plan"}
    if bound and act in {Act.ANSWER, Act.PLAN}:
        value = 0.9
    elif (bound and act in {Act.APPROVAL, Act.REJECTION}) or any(
        stage.records[index].role is Role.APPROVAL for index in text.evidence
    ):
        value = 0.8
    elif bound and act in {Act.DIRECTIVE, Act.CORRECTION}:
        value = 0.75
    elif any(record.failed for record in stage.records[max(0, seed.index - 4) : seed.index]):
        value = 0.7
    else:
        value = 0.6 if len(text.evidence) > len(seed.evidence) else 0.5
    hedged = value < 0.75 and cues.HEDGE.search(" ".join(text.sentences))
    return round(value - 0.1 * bool(hedged), 2)


def files(stage: Scene, seed: Passage, text: Text) -> tuple[str, ...]:
    """Return the files that the text names, as the session wrote them; else the few that the turn changed."""
    body = f"{' '.join(text.sentences)} {text.said}"
    written = Counter(path for record in stage.records for path in record.files)
    named = [path for path in written if _base(path) in body]
    if named:
        return tuple(sorted(named, key=lambda path: (-written[path], path))[:_FILES])
    changed = dict.fromkeys(path for index in stage.turns[seed.turn].body for path in stage.records[index].files)
    return tuple(changed) if len(changed) <= 3 else ()


def _base(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def tags(title: str, sentences: Sequence[str]) -> tuple[str, ...]:
    """Return a few lower-case words of the topic: names first, then the words of the title."""
    repeated = Counter(name for sentence in sentences for name in identifiers(sentence))
    names = [*identifiers(title), *(name for name, times in repeated.most_common(8) if times > 1)]
    own = [word for word in re.findall(r"[A-Za-z]{4,}", title) if terms(word)]
    lowered = (word.strip("`()").lower() for word in [*names, *own])
    return tuple(dict.fromkeys(tag for tag in lowered if _TAG.match(tag)))[:_TAGS]
