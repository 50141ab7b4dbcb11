"""Find the sentence after an order that gives the reason for it."""

import re
from collections.abc import Sequence

from git_lerim.extraction.by_rules.corrections import confirms
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.sessions.session import Record

_GIVES_REASON = re.compile(
    r"^(?:because|since|otherwise|that[’']?(?:ll|s| will| is| way| would)|this (?:will|would|"
    r"makes|means|way|ensures|aligns)|it (?:will|would|makes|leaves)|we (?:want|don[’']t want)|"
    r"the (?:risk|reason|idea)|so that|they are|they[’']re)\b",
    re.IGNORECASE,
)


def with_reason(records: Sequence[Record], turn: Turn, said: Sequence[str]) -> str:
    """Return an order with the sentence after it, if that says why, or if the agent agreed to it.

    `said` is the order and the sentence after it, if there is one.
    """
    order, following = said[0], "".join(said[1:])
    if _GIVES_REASON.match(following):
        return f"{order} {following}"
    return f"{order} because {following}" if confirms(records, turn, following) else order
