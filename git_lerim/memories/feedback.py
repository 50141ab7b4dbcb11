"""What people and agents said of a memory: for each author and verdict one row, with the last day and a count."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from git_lerim.memories.columns import Row, Rows, column
from git_lerim.memories.forms import LINE, WORD, Member
from git_lerim.memories.quantities import COUNT, DAY

LIMIT = 32  # rows of one memory


class Voice(StrEnum):
    """Who speaks."""

    PERSON = "person"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Feedback:
    """What one author said of a memory."""

    author: str = field(metadata=column(LINE))  # as git names them
    by: Voice = field(metadata=column(Member(Voice)))  # whether the author said it, or an agent on their behalf
    verdict: str = field(metadata=column(WORD))  # used, helpful, wrong, stale or confirmed; newer versions may know others
    day: str = field(metadata=column(DAY))  # of the last time, YYYY-MM-DD
    count: int = field(metadata=column(COUNT), default=1)


def joined(rows: Iterable[Feedback]) -> list[Feedback]:
    """Return one row for each author and verdict, the one of the latest day, then of the greatest count; at most LIMIT.

    Of too many rows those of persons stay, then the latest. Joining is commutative, associative and idempotent.
    """
    latest: dict[tuple[str, str, str], Feedback] = {}
    for row in rows:
        key = (row.author, row.by, row.verdict)
        latest[key] = max(row, latest.get(key, row), key=_standing)
    return sorted(latest.values(), key=_standing, reverse=True)[:LIMIT]


def _standing(row: Feedback) -> tuple[bool, str, int, str, str]:
    return (row.by is Voice.PERSON, row.day, row.count, row.author, row.verdict)


def _words(row: Feedback) -> str:
    who = row.author if row.by is Voice.PERSON else f"an agent of {row.author}"
    times = f", {row.count} times" if row.count > 1 else ""
    return f"{row.verdict}: {who} on {row.day}{times}"


FEEDBACK = Rows(Row(Feedback, named=False, words=_words), joined)
