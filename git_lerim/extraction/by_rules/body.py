"""From a chosen passage to the text of a memory and the records that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.passage import Passage, same
from git_lerim.extraction.by_rules.signals import Scene
from git_lerim.extraction.by_rules.turns import Act
from git_lerim.extraction.by_rules.words import overlap, terms

LIMIT = 560  # characters of a body
_LIKE = 0.3  # share of rarer words from which another passage says more about the same thing
_TOPIC = 0.3  # the same for one of its sentences
_WORTH = 0.25  # what another passage must be worth
_LOOKED = 20  # other passages that are looked at
_CITED = 0.25  # the same share from which another passage is cited
_CITATIONS = 8  # records that are cited besides the passage's own


@dataclass(frozen=True, slots=True)
class Text:
    """The sentences of a memory, the human's words that belong to it, and its evidence."""

    sentences: tuple[str, ...]
    said: str
    evidence: tuple[int, ...]  # living records, in order

    @property
    def body(self) -> str:
        """Return the sentences and the human's words as one paragraph."""
        quote = f"In the user's words: “{finished(self.said.strip())}”" if self.said else ""
        return " ".join(filter(None, [*map(finished, self.sentences), quote]))


def finished(sentence: str) -> str:
    """Return a sentence with an end."""
    bare = sentence.rstrip(" ,;:—–-")
    return bare if bare.endswith((".", "!", "?", "。", "…", ".”", ".)", '."')) else f"{bare}."


def compose(stage: Scene, worths: Sequence[float], at: int) -> Text:
    """Return the text of a memory: the passage, and what others say more about the same thing."""
    seed = stage.passages[at]
    said = _voice(stage, seed)
    room = LIMIT - (len(said) + 26 if said else 0)
    kept = _fitting([one for one in seed.kept if not cues.EMPTY.match(one)] or seed.kept, room)
    evidence = {*seed.evidence, *_approval(stage, seed)}
    alike = sorted((-like, other) for other, like in enumerate(stage.alike(at)) if other != at)
    for like, other in alike[:_LOOKED]:
        if -like < _LIKE or worths[other] < _WORTH:
            continue
        for sentence in stage.passages[other].kept:
            if _adds(stage, at, sentence, kept, room):
                kept.append(sentence)
                evidence.update(stage.passages[other].evidence)
    for like, other in alike:
        if -like < _CITED or len(evidence) >= len(seed.evidence) + _CITATIONS:
            break
        evidence.update(stage.passages[other].evidence)
    return Text(tuple(kept), said, tuple(sorted(evidence)))


def _adds(stage: Scene, at: int, sentence: str, kept: Sequence[str], room: int) -> bool:
    """Tell whether a sentence is about a passage's topic, fits, and says what was not said."""
    topic = frozenset(terms(sentence))
    fits = (
        len(topic) >= 3
        and not cues.TOLD.match(sentence)
        and not cues.EMPTY.match(sentence)
        and len(sentence) <= room - sum(map(len, kept)) - len(kept)
    )
    return fits and overlap(topic, stage.bags[at], stage.rare) >= _TOPIC and not any(same(sentence, one) for one in kept)


def _fitting(sentences: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for sentence in sentences:
        if kept and sum(map(len, kept)) + len(kept) + len(sentence) > room:
            break
        kept.append(sentence if len(sentence) <= LIMIT else sentence[: LIMIT - 1].rsplit(" ", 1)[0] + "…")
    return kept


def _approval(stage: Scene, seed: Passage) -> list[int]:
    """Return the human's yes to a turn's last words."""
    following = stage.turns[seed.turn + 1] if seed.turn + 1 < len(stage.turns) else None
    if following and following.index is not None and following.act is Act.APPROVAL and seed.last:
        return [following.index]
    return []


def _voice(stage: Scene, seed: Passage) -> str:
    """Return the human's words where they are part of what was decided."""
    silent = {Act.QUESTION, Act.CHORE, Act.APPROVAL, Act.ANSWER}
    if stage.turns[seed.turn].act in silent or cues.INQUIRES.match(seed.said):
        return ""
    return seed.said if len(seed.said) <= LIMIT // 2 else ""
