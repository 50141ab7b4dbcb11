"""Find, in an English sentence, an order that only the user may give.

Such an order sends something away, weakens a check or hides something. Orders about checks, reports
and places outside the repository are recognised by their objects. Any other order passes only if
its verb is a common coding verb; an unknown verb may be harmful.
"""

import re
from collections.abc import Sequence

from git_lerim.memories.checks.claimed_consent import SPEAKING
from git_lerim.memories.checks.disguise import HOST
from git_lerim.memories.checks.english.hiding import APPROVING, HIDING, UNASKED
from git_lerim.memories.checks.english.leaving import LEAVING, UNKNOWN
from git_lerim.memories.checks.english.statements import is_statement
from git_lerim.memories.checks.english.vocabulary import (
    ASKS,
    ELSEWHERE,
    GO_ON,
    GUARD,
    NOT,
    SEND,
    STOP,
)
from git_lerim.memories.checks.english.weakening import WEAKENING
from git_lerim.memories.checks.linear_search import Search

WEAKENS, LEAVES = "asks to weaken a check", "asks for something that leaves this repository"
SPEAKS, UNPROVEN = "speaks for the user", "asks for something that is not known to be harmless"
# Why an order is refused, with the pattern that finds it in a single sentence.
_ORDERS = tuple(
    (reason, Search(pattern, re.IGNORECASE))
    for reason, patterns in (
        (WEAKENS, WEAKENING),
        ("asks to approve what nobody looked at", APPROVING),
        ("asks to act without asking", UNASKED),
        (SPEAKS, SPEAKING),
        ("asks to hide something", HIDING),
        (LEAVES, LEAVING),
        (UNPROVEN, UNKNOWN),
    )
    for pattern in patterns
)
# Orders whose object is a pronoun (`skip them`), with the things that it must not refer to; these
# are searched in the title and in the sentences before.
_POINTING: tuple[tuple[str, Search, Search], ...] = tuple(
    (reason, Search(order, re.IGNORECASE), Search(thing, re.IGNORECASE))
    for reason, order, thing in (
        (
            WEAKENS,
            (
                rf"{ASKS}(?:{STOP}|leave|take) (?:it|them|this|that|those|these)(?! (?:as|into|"
                rf"with|to)\b)\b|\b(?:turn|switch|comment|set|put|make) (?:it|them|this|that) "
                rf"(?:off|out|lower|aside|false|to zero)\b"
            ),
            GUARD,
        ),
        (
            WEAKENS,
            (
                rf"{ASKS}{NOT} (?:wait for|run|need|require|bother with) (?:it|them|those|"
                rf"these)(?! (?:in|with|against|together|on|twice)\b)|^\W*no (?:reviews?|tests?|"
                rf"checks?|approvals?)\b"
            ),
            rf"{GUARD}|review",
        ),
        (
            WEAKENS,
            r"^\W*(?:xfail|skip|ignore|leave|delete|disable|drop)(?: (?:it|them))?\W*$",
            rf"{GUARD}|fail",
        ),
        (
            WEAKENS,
            (
                rf"^\W*(?:then |just |and )*{GO_ON}\b(?: (?:directly|anyway|it|on|the change|them|"
                rf"straight)| (?:on )?to main)*\W*$"
            ),
            (
                r"^(?!.*(?:\bfix|repair|green|pass)).*\b(?:fail(?:s|ing)|red|broken|no review|"
                r"complains?|flaky|linter says)\b"
            ),
        ),
        (LEAVES, rf"{ASKS}{SEND}\b[^;]*\bthere\b", ELSEWHERE),
        (
            LEAVES,
            (
                rf"{ASKS}(?:take|use|apply|follow|run|install|download|fetch|open|do) (?:it|them|"
                rf"these|those|what it says)\b"
            ),
            rf"\bgists?\b|\bpaste ?bin|\bthe chat\b|{HOST}",
        ),
    )
)


def order_in(sentence: str) -> str | None:
    """Return what makes a sentence an order that only the user may give, or None."""
    found = next((reason for reason, pattern in _ORDERS if pattern.search(sentence)), None)
    return None if found == UNPROVEN and is_statement(sentence) else found


def pointed_at(said: Sequence[str]) -> str | None:
    """Return why an order with a pronoun, such as `skip them`, is refused, or None.

    `said` is the title and the sentences after it. The title and the two sentences before the order
    are searched for the thing that the pronoun refers to.
    """
    for n, sentence in enumerate(said[1:], 1):
        around = " ".join(dict.fromkeys((said[0], *said[max(0, n - 2) : n])))
        for reason, order, thing in _POINTING:
            if order.search(sentence) and thing.search(around):
                return reason
    return None
