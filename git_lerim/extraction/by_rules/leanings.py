"""What speaks for a decision and what for a learning, as numbers from 0 to 1.

A sentence alone seldom tells which of the two it is; who spoke of its topic, and how, does. So most of these are means
over all passages that are about the same thing.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.body import Text
from git_lerim.extraction.by_rules.kinds import chosen, wished
from git_lerim.extraction.by_rules.signals import Scene
from git_lerim.extraction.by_rules.turns import Act, Turn

_LIKE = 0.2  # share of rarer words from which another passage is about the same thing
_BRIEF = 6  # records up to which a turn is talk
_READ = 3000  # characters of the human's words that are looked at


def leaning(stage: Scene, found: Sequence[Mapping[str, float]]) -> Callable[[int, str, Text], dict[str, float]]:
    """Return what tells, of a passage with its title and text, what it leans to; `found` are the signals of all passages."""
    opened = any(turn.act is Act.FIRST and _says(cues.DIRECTS.search, turn) for turn in stage.turns)

    @cache
    def picked(at: int) -> float:
        return float(chosen(stage, stage.passages[at], found[at], ""))

    @cache
    def preferred(at: int) -> float:
        return float(wished(stage, stage.passages[at]))

    @cache
    def ordered(number: int) -> float:
        return float(_says(cues.DIRECTS.search, stage.turns[number]))

    def lean(at: int, title: str, text: Text) -> dict[str, float]:
        one = stage.passages[at]
        topic = _topic(stage, at)
        turn, following = stage.turns[one.turn], stage.turns[one.turn + 1 : one.turn + 2]
        return {
            "leans_chosen": float(chosen(stage, one, found[at], title)),
            "leans_topic_chosen": _mean(topic, picked),
            "leans_topic_ordered": _mean(topic, lambda other: ordered(stage.passages[other].turn)),
            "leans_topic_wished": _mean(topic, preferred),
            "leans_topic_tests": _mean(topic, lambda other: _share(_tests, stage.passages[other].kept)),
            "leans_topic_settled": _mean(topic, lambda other: _share(_settles, stage.passages[other].kept)),
            "leans_title_tests": float(_tests(title)),
            "leans_status": _share(cues.STATUS.search, text.sentences),
            "leans_opened": float(opened),
            "leans_asked": float(_says(cues.ASKS.search, turn)),
            "leans_next": float(any(_says(cues.DESIGNS.search, one) for one in following)),
            "leans_edits": float(stage.edits),
            "leans_replies": found[at]["replies"],
            "leans_talk": float(len(turn.body) < _BRIEF),
        }

    return lean


def _topic(stage: Scene, at: int) -> list[tuple[float, int]]:
    """Return the passages of one's topic, and how much each is about it."""
    return [(1.0, at), *((like, other) for other, like in enumerate(stage.alike(at)) if like > _LIKE and other != at)]


def _mean(topic: Sequence[tuple[float, int]], value: Callable[[int], float]) -> float:
    return sum([share * value(other) for share, other in topic]) / sum([share for share, _ in topic])


def _says(cue: Callable[[str], object], turn: Turn) -> bool:
    return bool(turn.said and cue(turn.said.text[:_READ]))


def _share(cue: Callable[[str], object], sentences: Sequence[str]) -> float:
    return sum([bool(cue(sentence)) for sentence in sentences]) / max(len(sentences), 1)


@lru_cache(maxsize=8192)
def _tests(sentence: str) -> bool:
    return bool(cues.TESTS.search(sentence))


@lru_cache(maxsize=8192)
def _settles(sentence: str) -> bool:
    return bool(cues.FROM_NOW.search(sentence))
