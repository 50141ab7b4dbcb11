"""Which passages become memories: the best ones, one a topic, and only as many as the session bears."""

from collections.abc import Callable, Sequence
from math import log, log2

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.signals import Scene
from git_lerim.extraction.by_rules.words import terms
from git_lerim.memories.replacing import replacement
from git_lerim.sessions.session import Role

LEAST = 0.57  # worth from which a passage is kept
STEP = 0.12  # what each memory already kept adds to that, in log odds, in a session of 31 passages
LIKE = 0.2  # share of the rarer words from which two passages are about one thing
SAME = 0.4  # the same share where the later one gives up what the earlier one chose: it may say little else
MOST = 12  # memories of one session
_LOOKED = 4  # tool calls from which an agent has looked at the project
_BRIEF = 6  # topical words, those of chores not counted, up to which the human asked for chores alone
_HUMAN = {Role.ANSWER, Role.REJECTION, Role.APPROVAL}


def choose(stage: Scene, worths: Sequence[float], stands: Callable[[int], bool] = lambda _: True) -> list[int]:
    """Return the passages to keep, best first; `stands` tells whether one can be made to stand alone, and is asked once."""
    if not _touches_project(stage) or _only_chores(stage):
        return []
    size = max(log2(1 + len(worths)) / 5, 0.6) ** 2
    chosen: list[int] = []
    for at in sorted(range(len(worths)), key=lambda index: (-worths[index], index)):
        if len(chosen) == MOST or _odds(worths[at]) - STEP * len(chosen) / size < _odds(LEAST):
            break
        if not any(_is_repeated(stage, at, other) for other in chosen) and stands(at):
            chosen.append(at)
    return chosen


def _is_repeated(stage: Scene, at: int, other: int) -> bool:
    """Tell whether one of two passages says no more than the other; a later one that gives up what the other chose does."""
    like = stage.alike(other)[at]
    if not LIKE < like <= SAME:
        return like > SAME
    first, last = sorted((at, other), key=lambda one: stage.passages[one].index)
    return not _gives_up(stage, last, first)


def _gives_up(stage: Scene, last: int, first: int) -> bool:
    """Tell whether a passage gives up by its name what an earlier one chose, where the human spoke of that."""
    said = stage.turns[stage.passages[last].turn].said
    chosen = " ".join(stage.passages[first].kept).casefold()
    given_up = [found.old.casefold() for sentence in stage.passages[last].kept if (found := replacement(sentence))]
    return said is not None and any(old in chosen and old in said.text.casefold() for old in given_up)


def _odds(share: float) -> float:
    return log(share / (1 - share)) if 0 < share < 1 else (50.0 if share else -50.0)


def _touches_project(stage: Scene) -> bool:
    """Tell whether the agent looked at the project or changed it, or the human was asked: talk alone gives no memory."""
    calls = sum(record.role is Role.CALL for record in stage.records)
    return calls >= _LOOKED or any(record.files or record.role in _HUMAN for record in stage.records)


def _only_chores(stage: Scene) -> bool:
    """Tell whether the human asked for nothing but chores, such as a merge, a commit or a run of the tests."""
    said = [turn.said for turn in stage.turns if turn.said]
    if not said or any(record.role in _HUMAN for record in said):
        return False
    words = [word for record in said for word in terms(record.text)]
    other = {word for word in words if not cues.CHORES.match(word)}
    return len(other) <= _BRIEF and len(other) * 2 < len(words)
