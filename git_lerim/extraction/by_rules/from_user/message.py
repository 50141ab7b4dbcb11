"""A message of the user in sentences, each with what it wishes and takes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from git_lerim.extraction.transcript.text import LIST_ITEM, plain
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.extraction.wishes.disowned import is_disowned
from git_lerim.extraction.wishes.says import Wish, wish_in, wishes_in
from git_lerim.memories.similarity.revocation_phrases import Revocation, revocation
from git_lerim.sessions.session import Record

_READ = 50_000  # characters of a prompt whose lists are found
_SHORT = 20  # characters of an item's first line; further lines may follow a longer one


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the user, with what each of its sentences wishes and takes back."""

    records: Sequence[Record]
    turn: Turn
    number: int
    before: Sequence[str]  # what was said earlier
    sentences: Sequence[str]
    paragraphs: Sequence[int]  # the number of each sentence's paragraph or item
    listed: Sequence[bool]  # whether each sentence is in an item of a list
    wishes: Sequence[Wish]
    taken_back: Sequence[Revocation | None]

    @classmethod
    def of(
        cls, records: Sequence[Record], turn: Turn, number: int, before: Sequence[str]
    ) -> "Message":
        """Judge each sentence of a turn's message."""
        parts = paragraphs(turn.said.text)
        items = _items(turn.said.text)
        sentences = [*chain.from_iterable(parts)]
        return cls(
            records,
            turn,
            number,
            before,
            sentences,
            paragraphs=[place for place, part in enumerate(parts) for _ in part],
            listed=[_begins(part[0], items) for part in parts for _ in part],
            wishes=wishes_in(sentences),
            taken_back=[*map(revocation, sentences)],
        )


def is_disowned_in(message: Sequence[str], place: int) -> bool:
    """Return whether a message denies its sentence at index `place`, or ascribes it to others."""
    lead, colon, said = message[place].partition(": ")
    introduced = len(lead) + len(colon) if said and wish_in(lead) is Wish.NONE else 0
    start = len("\n".join([*message[:place], ""])) + introduced
    end = len("\n".join(message[: place + 1]))
    return is_disowned("\n".join(message), start, end)


def _items(prompt: str) -> list[str]:
    """Return the first lines of a prompt's list items, without their marks."""
    lines = prompt[:_READ].splitlines()
    return [plain(line[mark.end() :]) for line in lines if (mark := LIST_ITEM.match(line))]


def _begins(sentence: str, items: Sequence[str]) -> bool:
    """Return whether a sentence begins an item, which may go on in further lines."""
    return any(
        item.startswith(sentence) or (len(item) > _SHORT and sentence.startswith(item))
        for item in items
    )
