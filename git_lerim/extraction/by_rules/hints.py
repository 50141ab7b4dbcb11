"""Find what the user says that may end an earlier wish of theirs, judging by the words alone.

Such a finding counts only beside a stored memory that it ends: `I can't find anything with six
worktrees around. Plain checkout, one task after the other` beside `Use worktrees for parallel
tasks`.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.from_user.message import is_disowned_in
from git_lerim.extraction.by_rules.sentences.clauses import DECISIONS
from git_lerim.extraction.by_rules.sentences.imperatives import is_order, without_lead
from git_lerim.extraction.by_rules.sentences.statements import title_of
from git_lerim.extraction.by_rules.sentences.subjects import with_object
from git_lerim.extraction.by_rules.taken_back import is_for_good
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.text import finished
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.wishes.patterns import TYPED
from git_lerim.extraction.wishes.says import Wish, is_at_hand, wish_in
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.memories.similarity.likely_changes import likelihood, may_end
from git_lerim.memories.similarity.revocation_phrases import looks_like_one
from git_lerim.memories.similarity.taking_back import tells_change
from git_lerim.sessions.session import Role

# how a sentence ends that says what holds now: `we write the config in toml now`
_SAYS_NOW = re.compile(r"\b(?:now|instead|after all|from (?:now|here) on)[.!]*\Z", re.IGNORECASE)
PLACE = "changed"  # of such a finding
_LONGEST = 5  # sentences of a paragraph
_DESIGN = -2.9  # minimum score of a decision


def hints(turns: Sequence[Turn], besides: Collection[int]) -> Iterator[Finding]:
    """Yield, for each message, the paragraph that most likely ends an earlier wish, if any may.

    `besides` are the numbers of the turns in which the user takes something back in so many words.
    """
    for number, turn in enumerate(turns):
        said = turn.said
        if turn.automated or turn.disowned or said.role is not Role.PROMPT or number in besides:
            continue
        found = [one for one in paragraphs(said.text) if _may_end(one, said.text)]
        best = max(found, key=lambda one: likelihood(" ".join(one)), default=())
        titles = [(title, place) for place, one in enumerate(best) if (title := _title(one))]
        title, place = max(titles, key=lambda one: _says_what_is_wanted(one[0]), default=("", 0))
        whole = " ".join(map(finished, best))
        if title and not suspicion(whole, [said]):
            is_decision = DECISIONS.score(title) > _DESIGN
            yield Finding(
                origin=Origin.HUMAN,
                primitive=Primitive.DECISION if is_decision else Primitive.LEARNING,
                kind=None if is_decision else Kind.PREFERENCE,
                title=(place and with_object(best[place], best[place - 1])) or title,
                body=finished(quoted(Lead.CHANGED, whole)),
                said=title,
                evidence=(turn.index,),
                place=PLACE,
                turn=number,
                rank=likelihood(whole),
            )


def _title(sentence: str) -> str:
    return "" if sentence.endswith("?") else title_of(sentence, wish=True)


def _says_what_is_wanted(title: str) -> tuple[bool, float]:
    """Return how clearly a title says what is wanted, rather than what is wrong."""
    orders = is_order(without_lead(title), done=True) or _SAYS_NOW.search(title)
    return bool(orders or tells_change(title) or wish_in(title) >= Wish.RULE), TYPED.score(title)


def _may_end(paragraph: Sequence[str], prompt: str) -> bool:
    stated = [one for one in paragraph if not one.endswith("?")]
    return (
        len(paragraph) <= _LONGEST
        and may_end(" ".join(paragraph))
        and is_for_good(paragraph[0], prompt)
        and not any(is_disowned_in(paragraph, place) for place in range(len(paragraph)))
        and not any(is_at_hand(one) or looks_like_one(one) for one in stated)
    )
