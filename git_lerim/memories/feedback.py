"""Feedback on a memory: one row for each author and verdict, with the last day and a count."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from git_lerim.memories.format.columns import Row, Rows, column
from git_lerim.memories.format.forms import Member
from git_lerim.memories.format.quantities import COUNT, DAY
from git_lerim.memories.format.shown import PERSON, TERM

LIMIT = 32  # rows of one memory
USED, HELPFUL, WRONG, STALE, CONFIRMED = VERDICTS = (
    "used",
    "helpful",
    "wrong",
    "stale",
    "confirmed",
)
# The verdict `wrong` by the memory's own author. It is stored as a verdict of its own, because the
# file does not say who its author is according to git.
RETRACTED = "retracted"
AGAINST = (WRONG, RETRACTED)
_REPLACES = {  # the earlier verdicts of an author that a new one takes back
    HELPFUL: {WRONG, RETRACTED},
    WRONG: {HELPFUL, CONFIRMED, RETRACTED},
    RETRACTED: {HELPFUL, CONFIRMED, WRONG},
    STALE: {CONFIRMED},
    CONFIRMED: {WRONG, RETRACTED, STALE},
}


class Voice(StrEnum):
    """The kinds of readers that give feedback."""

    PERSON = "person"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Feedback:
    """One author's verdict on a memory."""

    author: str = field(metadata=column(PERSON))  # their git identity, `Name <mail>`
    by: Voice = field(
        metadata=column(Member(Voice))
    )  # whether the author said it, or an agent on their behalf
    verdict: str = field(
        metadata=column(TERM)
    )  # one of VERDICTS, or RETRACTED; newer versions may know others
    day: str = field(metadata=column(DAY))  # when it was last given, YYYY-MM-DD
    count: int = field(metadata=column(COUNT), default=1)


def joined(rows: Iterable[Feedback]) -> list[Feedback]:
    """Return, for each author and verdict, the row of the latest day with the highest count.

    If more than LIMIT rows remain, persons' rows are kept first, then the latest ones. Joining is
    commutative, associative and idempotent.
    """
    latest: dict[tuple[str, str, str], Feedback] = {}
    for row in rows:
        key = (row.author, row.by, row.verdict)
        latest[key] = max(row, latest.get(key, row), key=_standing)
    return sorted(latest.values(), key=_standing, reverse=True)[:LIMIT]


def added(rows: Iterable[Feedback], new: Feedback, *, again: bool = False) -> list[Feedback]:
    """Return the rows with one more verdict.

    A verdict that the same author repeats on one day counts once, or with `again` every time. The
    new verdict replaces opposite ones by the same author. Excess rows are removed as in `joined`.
    """
    kept, count = [], new.count
    for row in rows:
        same_author = (row.author, row.by) == (new.author, new.by)
        if same_author and row.verdict == new.verdict:
            count = row.count + (again or row.day != new.day)
        elif not (same_author and row.verdict in _REPLACES.get(new.verdict, ())):
            kept.append(row)
    return joined([*kept, replace(new, count=count)])


def disputed(rows: Iterable[Feedback]) -> bool:
    """Return whether a memory's author, or at least two people, call it wrong.

    The command `brief` leaves such a memory out.
    """
    against = [row for row in unanswered(rows) if row.by is Voice.PERSON]
    return (
        any(row.verdict == RETRACTED for row in against) or len({row.author for row in against}) > 1
    )


def unanswered(rows: Iterable[Feedback]) -> list[Feedback]:
    """Return the rows that call a memory wrong, unless a person has confirmed it since.

    A confirmation does not answer the memory's own author.
    """
    rows = list(rows)
    confirmed = last_confirmed(rows)
    return [
        row
        for row in rows
        if row.verdict == RETRACTED or (row.verdict == WRONG and row.day > confirmed)
    ]


def days_of_doubt(rows: Iterable[Feedback]) -> list[str]:
    """Return the days on which people called a memory wrong or stale."""
    verdicts = {*AGAINST, STALE}
    return [row.day for row in rows if row.by is Voice.PERSON and row.verdict in verdicts]


def called_wrong(rows: Iterable[Feedback]) -> list[Feedback]:
    """Return the rows of people who call a memory wrong."""
    return [row for row in rows if row.by is Voice.PERSON and row.verdict in AGAINST]


def called_stale(rows: Iterable[Feedback]) -> Feedback | None:
    """Return the last row in which a person calls a memory stale, unless confirmed since.

    What an agent says is not enough.
    """
    rows = list(rows)
    confirmed = last_confirmed(rows)
    by_people = [row for row in rows if row.by is Voice.PERSON and row.verdict == STALE]
    return max((row for row in by_people if row.day > confirmed), key=_standing, default=None)


def caller(rows: Iterable[Feedback]) -> str:
    """Return the name of the person who calls a memory stale, or an empty string."""
    row = called_stale(rows)
    return PERSON.shown(row.author).partition(" <")[0].replace('"', "") if row else ""


def doubt(rows: Iterable[Feedback]) -> str:
    """Return how people doubt a memory, such as `disputed`, or an empty string."""
    rows = list(rows)
    called = f"called stale by {name}" if (name := caller(rows)) else ""
    return ", ".join(filter(None, ("disputed" if disputed(rows) else "", called)))


def doubts(rows: Iterable[Feedback]) -> dict[str, object]:
    """Return how people doubt a memory, for the JSON of `list`."""
    rows = list(rows)
    return {"disputed": disputed(rows), "called_stale": caller(rows) or None}


def last_confirmed(rows: Iterable[Feedback]) -> str:
    """Return the day on which a person last confirmed a memory, YYYY-MM-DD, or an empty string."""
    return max(
        (row.day for row in rows if row.by is Voice.PERSON and row.verdict == CONFIRMED), default=""
    )


def _standing(row: Feedback) -> tuple[bool, str, int, str, str]:
    return (row.by is Voice.PERSON, row.day, row.count, row.author, row.verdict)


def giver(row: Feedback) -> str:
    """Return who gave a verdict, as shown: a person or an agent of theirs."""
    author = PERSON.shown(row.author)
    return author if row.by is Voice.PERSON else f"an agent of {author}"


def _words(row: Feedback) -> str:
    times = f", {row.count} times" if row.count > 1 else ""
    verdict = "wrong (its author)" if row.verdict == RETRACTED else TERM.shown(row.verdict)
    return f"{verdict}: {giver(row)} on {row.day}{times}"


FEEDBACK = Rows(Row(Feedback, named=False, words=_words), joined)
