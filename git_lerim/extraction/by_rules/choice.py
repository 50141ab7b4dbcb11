"""Which passages become memories: the best ones, one a topic, and only as many as the session bears."""

from collections.abc import Sequence
from math import log, log2

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.signals import Scene
from git_lerim.extraction.by_rules.turns import Act
from git_lerim.sessions.session import Role

LEAST = 0.55  # worth from which a passage is kept
STEP = 0.08  # what each memory already kept adds to that, in log odds, in a session of 31 passages
LIKE = 0.25  # share of the rarer words from which two passages are about one thing
MOST = 12  # memories of one session
_LOOKED = 4  # tool calls from which an agent has looked at the project

_BRIEFED = 120  # characters of a first prompt that says more than what to do
_SHORT = 3  # human acts up to which a session must explain something to be worth a memory
_EXPLAINS = {"why", "cause", "insight", "limit"}
_CHOSEN = {Act.REJECTION, Act.APPROVAL, Act.CORRECTION, Act.DIRECTIVE}
_HUMAN = {Role.ANSWER, Role.REJECTION, Role.APPROVAL}


def choose(stage: Scene, worths: Sequence[float]) -> list[int]:
    """Return the passages to keep, best first."""
    if not _touches_project(stage):
        return []
    size = max(log2(1 + len(worths)) / 5, 0.6) ** 2
    chosen: list[int] = []
    for at in sorted(range(len(worths)), key=lambda index: (-worths[index], index)):
        if len(chosen) == MOST or _odds(worths[at]) - STEP * len(chosen) / size < _odds(LEAST):
            break
        if _says_why(stage, at) and not any(stage.alike(at, other) > LIKE for other in chosen):
            chosen.append(at)
    return chosen


def _odds(share: float) -> float:
    return log(share / (1 - share)) if 0 < share < 1 else (50.0 if share else -50.0)


def _touches_project(stage: Scene) -> bool:
    """Tell whether the agent looked at the project or changed it, or the human was asked: talk alone gives no memory."""
    calls = sum(record.role is Role.CALL for record in stage.records)
    return calls >= _LOOKED or any(record.files or record.role in _HUMAN for record in stage.records)


def _says_why(stage: Scene, at: int) -> bool:
    """Tell whether a passage explains something: what was done is in the code and in git's log, a plan's steps are not even done.

    In a long session the human's turns show what matters; in a short one only the explanation does.
    """
    one = stage.passages[at]
    act = stage.turns[one.turn].act
    marks = {mark for sentence in one.kept if not cues.EDITS.match(sentence) for mark in cues.marks(sentence)}
    if one.source == "plan":
        return bool(marks & (_EXPLAINS | {"contrast"}))
    if act is Act.ANSWER or sum(turn.said is not None for turn in stage.turns) > _SHORT:
        return True
    if one.source == "exchange" and act in _CHOSEN:
        return bool(marks & _EXPLAINS)
    if one.source == "exchange" and (_asked(stage, one.turn) or (act is Act.FIRST and len(one.said) >= _BRIEFED)):
        return bool(marks & (_EXPLAINS | {"contrast"}))
    return "cause" in marks or len(marks & _EXPLAINS) >= 2


def _asked(stage: Scene, number: int) -> bool:
    said = stage.turns[number].said
    return said is not None and bool(cues.INQUIRES.match(said.text))
