"""A piece of a session that could become a memory: a few sentences about one thing, with the records they come from."""

# ruff: noqa: E501  a pattern reads best whole

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.words import terms

SIZE = 620  # characters of a passage


@dataclass(slots=True)
class Passage:
    """Some sentences; `index` is where in the living records they stand."""

    text: str  # as said, cleaned of markdown
    kept: list[str]  # its sentences without chat, progress and status
    index: int
    turn: int
    source: str  # reply | exchange | diagnosis | summary | report | plan
    heading: str = ""
    lead: str = ""
    place: float = 0.0  # where in its record: 0 start, 1 end
    first: bool = False  # in the turn's first reply
    last: bool = False  # in the turn's last reply
    evidence: tuple[int, ...] = ()  # the living records it comes from
    said: str = ""  # the human's words, if they belong to it


def prune(found: Iterable[str]) -> list[str]:
    """Return the sentences that say something about the project, not about the work on it."""
    return [bare for sentence in found if (bare := _pruned(sentence))]


@lru_cache(maxsize=8192)
def _pruned(sentence: str) -> str:
    bare = _without(_FINDING, _without(_INTERJECTION, sentence).strip())
    low = bare.lower()
    if _SELF.search(low):
        bare = cues.TRAILING.sub("", bare)
        if cues.WORKING.search(bare):
            return ""
    if len(bare) < 12 or len(bare.split()) < 4 or bare.endswith(("?", ":")) or cues.PROGRESS.match(bare) or cues.CHAT.match(bare):
        return ""
    return bare[0].upper() + bare[1:] if _LOWER.match(bare) else bare


def _without(opening: re.Pattern[str], text: str) -> str:
    found = opening.match(text)  # `sub` would look on, though it can find nothing later
    return text[found.end() :] if found else text


_FINDING = re.compile(
    r"^(?:i|we)(?:[’']ve| have)? (?:also |now |just )?(?:found|confirmed|verified|noticed|see|saw|learned|discovered)(?: out)? that ",
    re.IGNORECASE,
)
_LOWER = re.compile(r"[a-z]+ ")
_SELF = re.compile(r"i['’]| i |^i |let me|want me")
_INTERJECTION = re.compile(
    r"^(?:(?:yes|yep|yeah|ok(?:ay)?|great|perfect|excellent|ah|oh|hmm|hm|huh|interesting|understood|got it|agreed|absolutely|exactly(?: right)?|good (?:catch|call|point|idea|question|observation|thinking|choice|insight|news)|"
    r"great (?:point|catch|idea|question|work)|you[’']?(?:re| are) (?:absolutely |completely |totally )?(?:right|correct)(?: to call that out)?|makes sense|that makes (?:more )?sense|that[’']s (?:a )?(?:good|great|fair|crucial|clever|helpful) (?:point|idea|insight|question)|"
    r"fair (?:point|enough)|my mistake|so|and|also)\b[\s,.!:;—–-]+|(?:no|right|correct|done|fixed|sure|sorry|no problem|well|actually|now|good|there it is|found it|here it is|wait)[,.!:;—–]+ +)+",
    re.IGNORECASE,
)


def same(one: str, other: str) -> bool:
    """Tell whether two sentences say nearly the same."""
    first, second = set(terms(one)), set(terms(other))
    return bool(first) and len(first & second) / min(len(first), len(second) or 1) > 0.7
