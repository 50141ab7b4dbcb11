"""Discard findings that were withdrawn or replaced later in the session."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.taken_back import without_unsure_revocations
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Origin
from git_lerim.memories.quotes import Lead
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.similarity import replaces
from git_lerim.sessions.session import Record, Role

_TAKES_BACK = re.compile(
    r"\b(?:revert|undo|undid|roll (?:it |this |that )?back|let[’']?s go back|go back to|"
    r"changed my mind|never ?mind|scratch that|forget (?:it|that|about|what (?:i|we))|"
    r"(?:forget|scrap|drop|ignore|disregard) (?:what i (?:said|told|wrote)|(?:the|that|my) "
    r"(?:rule|wish|preference|instruction|convention) (?:about|on|that))|scrap (?:it|that|this)|"
    r"no longer (?:want|need)|"
    r"remove (?:it|this|that) again|put (?:it|that|this) back|bring (?:it|that|this) back|"
    r"i concede|on second thou?ghts?|actually,? (?:let[’']?s|can|could|no|i|don[’']t|keep|leave|"
    r"use|go with|stick with|make it)|drop (?:it|this|that)|not (?:that|this),|you can undo|"
    r"wrong direction|"
    r"don[’']t need both|only (?:have|need|want) one)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:revert (?:that|this|it|everything|all)|undo (?:that|this|it|everything)|"
    r"let[’']?s go back|i concede|changed my mind|scratch that|never ?mind|roll (?:it |this |"
    r"that )?back|wrong direction)\b",
    re.IGNORECASE,
)
# such words that say how or what it is: `roll back = deploy the last tag`, `To undo it, run …`
_DESCRIBES = re.compile(
    r"\b(?:roll (?:\w+ )?back|revert|undo)(?: it| this| that)?(?: ?=| (?:means|is)\b)|"
    r"(?:^|(?<=[.!?\n]))\W*(?:how )?to (?:roll (?:\w+ )?back|revert|undo)\b[^,:.!?\n]*[,:]",
    re.IGNORECASE,
)
_SETTLES = re.compile(
    r"\b(?:instead|rather|no longer|not|remove|drop|get rid of|without|actually|should|must|only|"
    r"replaced?|don[’']t)\b",
    re.IGNORECASE,
)
_READ = 600  # characters of a message in which a user takes something back
_ALIKE = 0.34
_SHARED = 3  # least words in common
_SAME_QUESTION = 0.6  # an agent asks several questions on one subject; each answer is valid
_REVERTED = re.compile(r"^git (?:revert|reset\s+--hard)\b|\bgh pr close\b")


def not_withdrawn(
    findings: Iterable[Finding], records: Sequence[Record], turns: Sequence[Turn]
) -> list[Finding]:
    """Return the findings that the user did not withdraw, replace or revert later."""
    found = list(findings)
    gone = why_withdrawn(found, records, turns)
    return [one for place, one in enumerate(found) if place not in gone]


def why_withdrawn(
    findings: Sequence[Finding], records: Sequence[Record], turns: Sequence[Turn]
) -> dict[int, str]:
    """Map the indexes of findings that were withdrawn, replaced or reverted later to the reason."""
    withdrawals = [
        (number, text)
        for number, turn in enumerate(turns)
        if not turn.automated and turn.said.role in {Role.PROMPT, Role.REJECTION}
        if _takes_back_something(turn.said.text[:_READ])
        if (text := without_unsure_revocations(turn.said.text))
    ]
    gone = {
        place: "the user took it back later in the session"
        for place, one in enumerate(findings)
        if _taken_back(one, withdrawals)
    }
    left = [place for place in range(len(findings)) if place not in gone]
    settled = _settled_otherwise([findings[place] for place in left])
    for at, other in settled.items():
        title = findings[left[other]].title
        gone[left[at]] = f"the session later says on the same subject: “{title}”"
    for place, one in enumerate(findings):
        if place not in gone and _reverted(one, records, turns):
            gone[place] = "the next turn reverted a commit or closed a pull request"
    return gone


def _taken_back(one: Finding, withdrawals: Sequence[tuple[int, str]]) -> bool:
    about = set(terms(one.said))
    return any(
        withdraws(text, about, is_next=number == one.turn + 1)
        for number, text in withdrawals
        if number > one.turn
    )


def withdraws(text: str, about: Collection[str], *, is_next: bool) -> bool:
    """Return whether a user's message takes back an earlier one, which has the words `about`.

    The two must have words in common; if the message is the next one (`is_next`), fewer are enough.
    """
    said = text[:_READ]
    if not _takes_back_something(said):
        return False
    shared = len(set(about) & set(terms(said)))
    return shared >= 2 or (is_next and bool(shared or _WHOLE.search(said)))


def _takes_back_something(said: str) -> bool:
    return bool(_TAKES_BACK.search(_DESCRIBES.sub("", said)))


def _settled_otherwise(findings: Sequence[Finding]) -> dict[int, int]:
    """Map the indexes of findings to those of later ones that replace or repeat them."""
    words = [frozenset(terms(one.title)) for one in findings]
    settling = [
        place
        for place, one in enumerate(findings)
        if _SETTLES.search(one.said) and not one.body.startswith(Lead.CHANGED)
    ]
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    by_given_up: defaultdict[str, list[int]] = defaultdict(list)
    for place in settling:
        for word in words[place]:
            by_word[word].append(place)
        for word in claim(findings[place].title).replaced:
            by_given_up[word].append(place)

    def is_alike(place: int, other: int, shared: int) -> bool:
        most = _most_shared(findings[place], findings[other])
        return shared >= _SHARED and shared > most * min(len(words[place]), len(words[other]))

    def settled_by(place: int, one: Finding) -> int | None:
        shared = Counter(chain.from_iterable(by_word[word] for word in words[place]))
        stated = claim(one.title)
        giving_up = {other for word in stated.chosen for other in by_given_up[word]}
        later = (at for at in sorted({*giving_up, *shared}) if findings[at].turn > one.turn)
        return next(
            (
                at
                for at in later
                if (at in giving_up and replaces(claim(findings[at].title), stated))
                or is_alike(place, at, shared[at])
            ),
            None,
        )

    return {
        place: other
        for place, one in enumerate(findings)
        if not claim(one.title).revoked and (other := settled_by(place, one)) is not None
    }


def _most_shared(one: Finding, other: Finding) -> float:
    """Return the share of common words above which two findings are on the same subject."""
    both_answers = one.origin is other.origin is Origin.ANSWER
    return _SAME_QUESTION if both_answers else _ALIKE


def _reverted(one: Finding, records: Sequence[Record], turns: Sequence[Turn]) -> bool:
    """Return whether the turn after a finding reverted commits or closed a pull request."""
    following = turns[one.turn + 1] if one.turn + 1 < len(turns) else None
    return following is not None and any(
        _REVERTED.search(records[index].command or "") for index in following.body
    )
