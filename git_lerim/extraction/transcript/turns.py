"""A session as turns: what the human did, and all that the agent said until the human acted again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from git_lerim.extraction.by_rules import cues
from git_lerim.extraction.by_rules.words import terms
from git_lerim.sessions.session import Record, Role, Session

_ACTS = {Role.PROMPT, Role.ANSWER, Role.APPROVAL, Role.REJECTION}
PLAN_LENGTH = 600  # characters; a longer prompt with headings is a plan or a brief, not chat


class Act(StrEnum):
    """What a human's record does."""

    NONE = "none"  # before the first one
    FIRST = "first"
    PLAN = "plan"
    ANSWER = "answer"
    REJECTION = "rejection"
    APPROVAL = "approval"
    CORRECTION = "correction"
    DIRECTIVE = "directive"
    QUESTION = "question"
    CHORE = "chore"
    OTHER = "other"


@dataclass(slots=True)
class Turn:
    """One act of the human and what followed; all are indexes into the session's living records."""

    act: Act
    index: int | None  # of the human's record
    said: Record | None
    body: list[int] = field(default_factory=list)  # all records until the next act
    replies: list[int] = field(default_factory=list)
    before: int | None = None  # the last reply before the act
    disowned: bool = False  # the human took it back: it was meant for another chat
    helper: bool = False  # a sub-agent's own records, of which its parent told the rest


def living(session: Session) -> list[Record]:
    """Return the records that count, a sub-agent's last: nothing rewound or sent twice, no agent in a human's place."""
    found: list[Record] = []
    prompts: set[str] = set()
    for record in sorted(session.records, key=lambda record: record.part or ""):
        if record.abandoned or (record.part is not None and record.role in _ACTS):
            continue
        if record.role is Role.PROMPT:
            key = " ".join(record.text.split())[:2000]
            if cues.HOOK.match(record.text) or (len(key) > 80 and key in prompts):
                continue
            prompts.add(key)
        found.append(record)
    return found


def turns(records: Sequence[Record]) -> list[Turn]:
    """Return the turns of a session's records."""
    found = [Turn(Act.NONE, None, None)]
    last_reply: int | None = None
    seen_prompt = False
    part: str | None = None
    for index, record in enumerate(records):
        if record.part != part:
            part = record.part
            found.append(Turn(Act.NONE, None, None, helper=True))
        if record.role in _ACTS:
            act = _act(record, first=not seen_prompt)
            if record.role is Role.PROMPT and cues.DISOWNS.search(record.text):
                found[-1].disowned = True
            seen_prompt = seen_prompt or record.role is Role.PROMPT
            found.append(Turn(act, index, record, before=last_reply))
            continue
        found[-1].body.append(index)
        if record.role is Role.REPLY:
            found[-1].replies.append(index)
            last_reply = index
    return found


def _act(record: Record, *, first: bool) -> Act:
    match record.role:
        case Role.ANSWER:
            return Act.ANSWER
        case Role.APPROVAL:
            return Act.PLAN
        case Role.REJECTION:
            return Act.REJECTION
        case _:
            return _prompt(record.text.strip(), first=first)


@lru_cache(maxsize=256)
def _prompt(text: str, *, first: bool) -> Act:  # noqa: PLR0911  the first that fits, in this order
    if len(text) > PLAN_LENGTH and text.count("\n#") + text.startswith("#") >= 2:
        return Act.PLAN
    if first:
        return Act.FIRST
    if len(text) < 90 and (cues.APPROVES.match(text) or len(terms(text)) == 0):
        return Act.APPROVAL
    if cues.CORRECTS.search(text):
        return Act.CORRECTION
    if len(text) < 160 and cues.CHORE.match(text):
        return Act.CHORE
    directs, asks = cues.DIRECTS.search(text), cues.ASKS.search(text)
    if directs and not (asks and len(text) < 60):
        return Act.DIRECTIVE
    return Act.QUESTION if asks else Act.OTHER
