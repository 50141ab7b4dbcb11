"""Compose the block of memories that an agent gets, as many as fit into a budget of tokens.

The same memories, files, prompt and budget give the same bytes: there is no clock in it.
Imports almost nothing: a brief is made before an agent's every answer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from git_lerim.recall.brief import prompt_fence
from git_lerim.recall.index.index_reader import Document
from git_lerim.recall.index.terms import plain_words
from git_lerim.recall.local.verdicts import Standing
from git_lerim.recall.search.excerpt import GIST, gist
from git_lerim.tokens import at_most, clip

HEADINGS = {
    "preference": "Preferences and rules:",
    "shared": "What others shared asks for; the user did not say it:",
    "code": "On the files at hand:",
    "asked": "On what was asked:",
    "error": "On this error:",
    "recent": "Recent:",
}
SHARE = {
    "preference": 0.4,
    "shared": 0.2,
    "code": 0.5,
    "asked": 1.0,
    "error": 1.0,
}  # of what is left, in the first round
MISSES = 4  # memories in a row that do not fit, after which no other is tried
SHORTEST = 80  # characters of a title, where a budget has room for no more
LONG_NOTE = 600  # characters, beyond which the first sentences say little of what was asked
LEAST = 12  # tokens: no line is shorter
REPEATED = 0.75  # of the words of a title: a body that begins with as many of them says it, too


class Pick:
    """One memory, and why it was chosen."""

    __slots__ = ("document", "opposed", "path", "pending", "personal", "section", "standing")

    def __init__(
        self, document: Document, section: str, *, path: str = "", personal: bool = False
    ) -> None:
        """Take a memory, the section it stands in, and the file at hand that it concerns."""
        self.document = document
        self.section = section
        self.path = path
        self.personal = personal
        self.pending = False  # it waits for review
        self.opposed: list[str] = []  # ids of others that cannot hold beside it
        self.standing: Standing | None = (
            None  # to the code that it is about, once that is known; of no code: None
        )

    @property
    def state(self) -> str:
        """Whether it is `stale`, `fresh` or `unknown`; of no code: empty."""
        return self.standing.state if self.standing else ""


class Brief:
    """The block, and what it is made of."""

    __slots__ = ("budget", "left_out", "picks", "text", "tokens")

    def __init__(
        self, text: str, picks: list[Pick], *, budget: int, tokens: int, left_out: int
    ) -> None:
        """Take the text, empty where there is nothing to say, and the memories in it."""
        self.text = text
        self.picks = picks
        self.budget = budget
        self.tokens = tokens  # at most
        self.left_out = left_out  # memories that would have been in it, had there been room


def as_json(brief: Brief) -> dict[str, object]:
    """Return a brief as JSON has it: the block as an agent reads it, and the memories as they stand
    in their files.
    """
    return {
        "text": brief.text,
        "budget": brief.budget,
        "tokens_at_most": brief.tokens,
        "left_out": brief.left_out,
        "memories": [
            {
                "id": pick.document.id,
                "primitive": pick.document.primitive,
                "kind": pick.document.kind,
                "title": pick.document.title,
                "body": pick.document.body,
                "status": pick.document.status,
                "confidence": pick.document.confidence,
                "created": pick.document.created,
                "updated": pick.document.updated,
                "author": pick.document.author or None,
                "section": pick.section,
                "state": pick.state or None,
                "stale_since": (pick.standing and pick.standing.since) or None,
                "file": pick.path or None,
                "personal": pick.personal,
                "pending": pick.pending,
            }
            for pick in brief.picks
        ],
    }


def compose(
    picks: Sequence[Pick],
    budget: int,
    key: bytes,
    count: Callable[[str], int] = at_most,
    *,
    note: str = "",
) -> Brief:
    """Return the brief of the memories that fit into a budget of tokens, by a count that is never
    too low.

    `note`: a line above them.
    """
    chosen = _fitting(picks, budget - count(f"{note}\n") if note else budget, count)
    while chosen:
        kept = [pick for pick in picks if pick in chosen]
        text = prompt_fence.fenced([note, *_laid_out(kept, chosen)], key)
        tokens = count(text)
        if tokens <= budget:
            return Brief(text, kept, budget=budget, tokens=tokens, left_out=len(picks) - len(kept))
        chosen.popitem()
    return Brief("", [], budget=budget, tokens=0, left_out=len(picks))


def line(pick: Pick, *, short: bool = False) -> str:
    """Return the line of a memory: id, day, what it is, what is to be known of it, title, and the
    sentences that matter.
    """
    document = pick.document
    facts = [
        document.kind or document.primitive,
        *[f"from {document.author}"] * bool(document.author),
    ]
    facts += [*["personal"] * pick.personal, *["pending review"] * pick.pending]
    facts += [f"cannot hold beside {id_}" for id_ in pick.opposed]
    facts += [pick.standing.told] if pick.standing and pick.state == "stale" else []
    facts += [pick.path] * bool(pick.path)
    text = clip(document.title, 160)
    if told := "" if short else _excerpt(document):
        text = (
            told
            if _repeats(told, document.title)
            else f"{text}{'' if text.endswith(tuple('.!?:…。！？')) else '.'} {told}"
        )
    return (
        f"- [{document.id}] {document.created[:10]} {prompt_fence.safe(', '.join(facts))}:"
        f" {prompt_fence.safe(text)}"
    )


def _excerpt(document: Document) -> str:
    """Return what a memory says in short; of a long note that a search found, the line that fits
    what was asked.
    """
    found = getattr(document, "line", "") if len(document.body) > LONG_NOTE else ""
    return (
        clip(" ".join(found.split()), GIST)
        if found.strip()
        else gist(document.title, document.body)
    )


def _repeats(text: str, title: str) -> bool:
    """Tell whether the beginning of a text says what a title does, in its words."""
    words = plain_words(title)
    begins = set(plain_words(text)[: 2 * len(words)])
    return sum(word in begins for word in words) >= REPEATED * len(words)


def _fitting(picks: Sequence[Pick], budget: int, count: Callable[[str], int]) -> dict[Pick, str]:
    """Return what fits, in the order in which it is worth its room, with its line."""
    left = budget - count(prompt_fence.overhead())
    chosen: dict[Pick, str] = {}
    costs: dict[str, int] = {}
    for section, share in (*SHARE.items(), *dict.fromkeys(HEADINGS, 1.0).items()):
        room = int(left * share)
        headed = any(pick.section == section for pick in chosen)
        misses = 0
        for pick in picks:
            if misses == MISSES or room < LEAST:
                break  # what comes is of less worth, and no shorter
            if pick.section != section or pick in chosen:
                continue
            misses += 1
            for text in _forms(pick):
                cost = costs.get(text) or costs.setdefault(text, count(f"{text}\n"))
                needed = cost if headed else cost + count(f"{HEADINGS[section]}\n")
                if needed <= room:
                    chosen[pick] = text
                    headed = True
                    misses = 0
                    room -= needed
                    left -= needed
                    break
    return chosen


def _forms(pick: Pick) -> Iterator[str]:
    """Yield the line of a memory, then shorter ones."""
    yield line(pick)
    yield line(pick, short=True)
    yield f"- [{pick.document.id}] {prompt_fence.safe(clip(pick.document.title, SHORTEST))}"


def _laid_out(picks: Iterable[Pick], lines: dict[Pick, str]) -> Iterator[str]:
    section = ""
    for pick in picks:
        if pick.section != section:
            section = pick.section
            yield HEADINGS[section]
        yield lines[pick]
