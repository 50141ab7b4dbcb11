"""Name the answers and approved plans that no rule takes a decision from, for a user who asks."""

from collections.abc import Collection, Iterator, Sequence

from git_lerim.extraction.base import Dropped, evidence_of
from git_lerim.extraction.transcript.text import blocks
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.sessions.session import Record, Role

_ANSWER = "the answer is about the work at hand, or is not clear on its own"
_PLAN = "the plan states no decision with its reason"
_EARLIER = "a later plan was approved"


def passed_over(
    records: Sequence[Record], turns: Sequence[Turn], used: Collection[int]
) -> Iterator[Dropped]:
    """Yield the answers and approved plans whose records are not among those `used`."""
    plans = [turn.index for turn in turns if turn.said.role is Role.APPROVAL]
    for turn in turns:
        said = turn.said
        if turn.index in used or turn.disowned or not said.text.strip():
            continue
        if said.role is Role.ANSWER:
            text, reason = f"{said.question or ''} {said.text}", _ANSWER
        elif said.role is Role.APPROVAL:
            first = next((block.text for block in blocks(said.text)), "")
            text, reason = first, _PLAN if turn.index == plans[-1] else _EARLIER
        else:
            continue
        if text := " ".join(text.split()):
            evidence = evidence_of([records[turn.index].n])
            yield Dropped(text=text, reason=reason, evidence=evidence)
