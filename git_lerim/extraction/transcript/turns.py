"""Split a session into turns: a message of the user, and all that follows until the next one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from git_lerim.extraction.transcript.announced import is_announced
from git_lerim.extraction.transcript.user_text import is_automated, paragraphs
from git_lerim.sessions.session import Record, Role, Session

_ACTS = {Role.PROMPT, Role.ANSWER, Role.APPROVAL, Role.REJECTION}
_DISOWNS = re.compile(
    r"\bwrong (?:chat|window|session|tab|repo|terminal)\b|\bignore (?:my |the |that )?(?:last|"
    r"previous) (?:message|prompt|one)\b|\bignore that\b|\bnever ?mind that\b|"
    r"\bmeant for (?:another|a different) (?:chat|session)\b",
    re.IGNORECASE,
)
# `oh you're right, my mistake, tabs it is`
_ADMITS = re.compile(
    r"\W*(?:(?:oh|ah|ok|okay|oops|hm+|yes|ach|ja|sí|oui|sì)[,.!…]* )*(?:"
    r"(?:you(?:['’]re| are)|that(?:['’]s| is)) (?:right|correct|true)[,.!;:–— ]+"
    r"(?:(?:that was|it was|sorry,?) )?(?:my (?:mistake|bad|error|fault)|i was (?:wrong|mistaken))|"
    r"(?:sorry,? )?i (?:was (?:wrong|mistaken)(?= about (?:that|this|it)\b| there\b|[,.!;]|$)|"
    r"misremembered(?= that\b| it\b|[,.!;]|$)|"
    r"(?:mixed|got) (?:it|that|this|them) (?:up|wrong|mixed up))|"
    r"du hast recht[,.! ]+(?:mein fehler|ich lag falsch|ich hab\w* mich (?:geirrt|vertan))|"
    r"tu as raison[,.! ]+(?:mon erreur|je me suis trompée?|au temps pour moi)|"
    r"tienes razón[,.! ]+(?:(?:es |fue )?(?:un )?(?:mi error|error mío)|me (?:equivoqué|confundí))|"
    r"hai ragione[,.! ]+(?:errore mio|mi sono sbagliat\w|ho sbagliato)|"
    r"(?:você tem|tens) razão[,.! ]+(?:erro meu|me enganei|enganei-me))",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"^\W*(?:no\b|nope|wait|hmm+|are you sure|but\b|i (?:don[’']t think|doubt|meant?)|not really|"
    r"wrong|that[’']s (?:not|wrong)|really\?|wtf|why\b|still\b|actually\b|what are you doing)|"
    r"\b(?:are you sure|doesn[’']t (?:work|look right)|does not work|still (?:not|fails?|broken|"
    r"doesn[’']t|the same)|not the (?:cause|issue|problem))\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Turn:
    """A message or choice of the user, and what followed until the next one.

    All indexes are positions in the list of the session's live records.
    """

    index: int
    said: Record
    automated: bool  # written by a program or another agent
    before: int | None = None  # index of the agent's last reply before it
    body: list[int] = field(default_factory=list)
    replies: list[int] = field(default_factory=list)
    # the next message takes it back, or the one before it announces it as text
    disowned: bool = False


def live_records(session: Session) -> list[Record]:
    """Return a session's live records: those not rewound, repeated or from a sub-agent."""
    found: list[Record] = []
    prompts: set[str] = set()
    for record in session.records:
        if record.abandoned or record.part is not None:
            continue
        if record.role is Role.PROMPT:
            key = " ".join(record.text.split())[:2000]
            if len(key) > 80 and key in prompts:
                continue
            prompts.add(key)
        found.append(record)
    return found


def turns(records: Sequence[Record]) -> list[Turn]:
    """Split live records into turns; records before the user's first message are in no turn."""
    found: list[Turn] = []
    reply: int | None = None
    for index, record in enumerate(records):
        if record.role in _ACTS:
            if found and record.role is Role.PROMPT and _takes_back(record.text, found[-1]):
                found[-1].disowned = True
            automated = record.role is Role.PROMPT and is_automated(record.text)
            announced = bool(found) and _announces(found[-1], record)
            found.append(Turn(index, record, automated, before=reply, disowned=announced))
            continue
        if record.role is Role.REPLY:
            reply = index
        if found:
            found[-1].body.append(index)
            if record.role is Role.REPLY:
                found[-1].replies.append(index)
    return found


def _takes_back(prompt: str, last: Turn) -> bool:
    """Return whether a prompt takes back all that the user said in their last turn.

    An admitted mistake may concern only part of it, unless it was a single sentence.
    """
    if _DISOWNS.search(prompt):
        return True
    admits = last.replies and last.said.role is Role.PROMPT and _ADMITS.match(prompt)
    return bool(admits) and sum(map(len, paragraphs(last.said.text))) == 1


def _announces(turn: Turn, following: Record) -> bool:
    """Return whether the user's message in a turn announces their next one as a text."""
    both_typed = turn.said.role is following.role is Role.PROMPT and not turn.automated
    return both_typed and is_announced(turn.said.text, following.text)


def is_doubted(turns: Sequence[Turn], number: int) -> bool:
    """Return whether the user's next message doubts what the agent said in a turn."""
    following = next((one for one in turns[number + 1 :] if not one.automated), None)
    return following is not None and (
        following.said.role is Role.REJECTION or bool(_DOUBTS.search(following.said.text[:300]))
    )
