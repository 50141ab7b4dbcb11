"""Find where the agent restates an order after carrying it out, often adding consequences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from git_lerim.extraction.transcript.text import blocks, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.checks.noise import noise
from git_lerim.sessions.session import Record

_LEAST, _MOST = 36, 260  # characters of one sentence
_LOOKED = 60  # blocks of a reply to look at
_WEAK = re.compile(
    r"^(?:i|i[’'](?:ve|m|ll|d)|we|you|your|yes|no|done|here|now let|let|this|that|these|those|it|"
    r"they|there|if|next|then|also|and|but|so|because|perfect|great|good|excellent|got it|"
    r"understood|both|all|what|how|would|should|want|after|before|changes?|ensures?|individual|"
    r"each|the (?:change|fix|test|plan|next|user|hooks?|method|following|calculations?)|added|"
    r"updated|removed|fixed|created|changed|implemented|moved|replaced|refactored|renamed|"
    r"verified|adjusted|deleted|spawned|switched|kept|tests?|files?|line|replace|update|move|push|"
    r"keep|use|change|add|remove)\b",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\b(?:I|I[’'](?:m|ve|ll|d)|you|your|let me|we[’']ll|next step|want me|should I|above|below|"
    r"earlier|today|currently)\b|[?!:]$",
    re.IGNORECASE,
)
_MARKS = re.compile(
    r"→|\s[-—–]\s.*\s[-—–]\s|^[`\w()./]+`?\s+[-—–→]|^[^:`]{1,40}:\s|^`[^`]+`:\s|\s=\s|✓|✅|❌|"
    r"\(line|:\d+\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|will|must|should|can|cannot|has|have|does|do|doesn[’']t|don[’']t|uses?|"
    r"stays?|shows?|keeps?|starts?|loads?|reads?|comes?|goes|gets?|lives?|becomes?|remains?|"
    r"renders?|returns?|follows?|needs?|runs?|opens?|no longer|now \w+s?|[a-z]{3,}s (?:to|the|a|"
    r"an|its|from|in|on|by|only|all|one))\b"
)
_LASTS = re.compile(
    r"\b(?:because|since|so that|so|otherwise|instead of|rather than|which means|no longer|only|"
    r"never|always|must|should|now|not|to avoid|without|belongs?|cannot|can[’']t|doesn[’']t|"
    r"does not)\b",
    re.IGNORECASE,
)
_OBLIGES = re.compile(
    r"\b(?:must|should|shall|ha(?:s|ve) to|needs? to|required?|always|never|every|each)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"`[^`]+`|[\w.-]*[\w-]/[\w./-]+|\b[\w-]+\.[a-z]{1,4}\b")  # code, paths, files


@dataclass(frozen=True, slots=True)
class Restated:
    """A sentence in which the agent restates an order, and the share of words in both (0 to 1)."""

    text: str
    index: int
    share: float


def statements(records: Sequence[Record], replies: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield the sentences of replies that state how things are, each with its record's index.

    Sentences about steps or edits, and those that address the user, are left out.
    """
    for index in replies:
        for block in blocks(records[index].text)[:_LOOKED]:
            if block.kind in {"paragraph", "item"}:
                yield from ((one, index) for one in sentences(block.text) if _states(one))


def restated(records: Sequence[Record], turn: Turn, order: str) -> Restated | None:
    """Return the sentence of the first or last reply that best restates an order, or None.

    A sentence that also demands something that the order does not name is left out.
    """
    wanted = set(terms(order))
    if len(wanted) < 3 or not turn.replies:
        return None
    best: Restated | None = None
    for text, index in statements(
        records, tuple(dict.fromkeys([turn.replies[-1], turn.replies[0]]))
    ):
        own = set(terms(text))
        share = len(own & wanted) / max(min(len(wanted), len(own)), 4)
        if (
            share >= 0.45
            and len(own - wanted) >= 2
            and _LASTS.search(text)
            and (best is None or share > best.share)
            and not _adds_duty(text, order)
        ):
            best = Restated(text, index, share)
    return best


def _adds_duty(sentence: str, order: str) -> bool:
    named = {found.strip("`.") for found in _NAMED.findall(sentence)}
    return bool(_OBLIGES.search(sentence)) and any(name not in order for name in named)


def _states(sentence: str) -> bool:
    whole = sentence[0].isupper() or sentence[0] in '`"“'
    apart = _WEAK.match(sentence) or _SPEAKS.search(sentence) or _MARKS.search(sentence)
    return (
        whole
        and _LEAST <= len(sentence) <= _MOST
        and not apart
        and bool(_VERB.search(sentence))
        and not noise(sentence)
    )
