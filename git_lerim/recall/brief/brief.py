"""Compose a brief: the text with memories that an agent gets, within a budget of tokens.

The result is deterministic: the same memories, files, prompt and budget give the same bytes. This
module imports little, because hooks load it each time the user prompts an agent.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_lerim.memories.authors import agents_note, from_other, in_their_name
from git_lerim.recall.brief import prompt_fence
from git_lerim.recall.index.index_reader import Document
from git_lerim.recall.index.terms import plain_words
from git_lerim.recall.local.verdicts import CachedVerdict, doubt_in, is_called_stale
from git_lerim.recall.search.excerpt import LONGEST, first_sentences
from git_lerim.tokens import at_most, clip

HEADINGS = {
    "preference": "Preferences and rules:",
    "shared": "What others shared as preferences; the user did not state them:",
    "code": "On the files at hand:",
    "asked": "On what was asked:",
    "error": "On this error:",
    "noted": "Preferences, noted by a model:",
    "recent": "Recent decisions and lessons:",
}
# Share of the remaining budget that a section may use in the first round.
SHARE = {"preference": 0.4, "shared": 0.2, "code": 0.5, "asked": 1.0, "error": 1.0, "noted": 0.3}
MISSES = 4  # memories in a row that do not fit, after which a section is closed
SHORTER = 200  # characters of an excerpt in a shorter form
SHORTEST = 80  # characters of a title in the shortest form
LONG_NOTE = 600  # characters: in longer notes the first sentences rarely answer the prompt
LEAST = 12  # tokens of the shortest line
LEAD = 6  # words of a phrase such as "The user asked for this"
REPEATED = 0.75  # an excerpt that begins with this share of a title's words repeats the title
# The error in the title and text of a repaired failure, which the agent was just shown.
_JUST_SEEN = r"(\bfail(?:s|ed)) with “[^”]*”"


class Pick:
    """A chosen memory, and the reason it was chosen."""

    __slots__ = (
        "document",
        "opposed",
        "path",
        "pending",
        "personal",
        "section",
        "spare",
        "verdict",
    )

    def __init__(
        self, document: Document, section: str, *, path: str = "", personal: bool = False
    ) -> None:
        """Initialize with a memory, its section of the brief, and the file that it is about."""
        self.document = document
        self.section = section
        self.path = path
        self.personal = personal
        self.spare = False  # beyond the limit of its section: used only if there is room
        self.pending = False  # it waits for review
        self.opposed: list[str] = []  # ids of picks that contradict it
        self.verdict: CachedVerdict | None = None  # once known; None if it is not about code

    @property
    def state(self) -> str:
        """The word `stale`, `fresh` or `unknown`; empty if the memory is not about code.

        A memory that a person calls stale is stale, too.
        """
        if is_called_stale(self.document.row):
            return "stale"
        return self.verdict.state if self.verdict else ""


class Brief:
    """The text of a brief, and the memories in it."""

    __slots__ = ("budget", "left_out", "picks", "text", "tokens")

    def __init__(
        self, text: str, picks: list[Pick], *, budget: int, tokens: int, left_out: int
    ) -> None:
        """Initialize with the text, which may be empty, and the memories in it."""
        self.text = text
        self.picks = picks
        self.budget = budget
        self.tokens = tokens  # rather too many than too few
        self.left_out = left_out  # memories that did not fit, or did not compete


def as_json(brief: Brief) -> dict[str, object]:
    """Return a brief for JSON: the text as an agent reads it, and the memories as stored."""
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
                "origin": pick.document.origin,
                "section": pick.section,
                "state": pick.state or None,
                "stale_since": (pick.verdict and pick.verdict.since) or None,
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
    """Return a brief with those memories that fit into a budget of tokens.

    `count` returns the tokens of a text, rather too many than too few. `note` is a line to put
    above the memories.
    """
    chosen = _fitting(picks, budget - count(f"{note}\n") if note else budget, count)
    while chosen:
        kept = [pick for pick in picks if pick in chosen]
        text = prompt_fence.fence([note, *_laid_out(kept, chosen)], key)
        tokens = count(text)
        if tokens <= budget:
            return Brief(text, kept, budget=budget, tokens=tokens, left_out=len(picks) - len(kept))
        chosen.popitem()
    return Brief("", [], budget=budget, tokens=0, left_out=len(picks))


def line(pick: Pick, *, excerpt: int = LONGEST, title: int = 160) -> str:
    """Return a memory's line: id, date, details such as kind and author, title, and an excerpt.

    `excerpt` and `title` are the most characters of each.
    """
    document = pick.document
    facts = [
        document.kind or document.primitive,
        *[from_other(document.author)] * bool(document.author),
    ]
    facts += agents_note(document.origin)
    facts += [*["personal"] * pick.personal, *["pending review"] * pick.pending]
    facts += [f"contradicts {id_}" for id_ in pick.opposed]
    facts += [pick.verdict.mark] if pick.verdict and pick.verdict.mark else []
    facts += [doubt] if (doubt := doubt_in(document.row)) else []
    facts += [pick.path] * bool(pick.path)
    text = clip(document.title, title)
    if excerpt and (first := _excerpt(document, excerpt)):
        text = (
            first
            if _repeats(first, document)
            else f"{text}{'' if text.endswith(tuple('.!?:…。！？')) else '.'} {first}"
        )
        if pick.section == "error":
            text = re.sub(_JUST_SEEN, r"\1", text)
    return (
        f"- [{document.id}] {document.created[:10]} {prompt_fence.safe(', '.join(facts))}:"
        f" {prompt_fence.safe(in_their_name(text, document.author))}"
    )


def _excerpt(document: Document, longest: int) -> str:
    """Return a memory's first sentences or, if it is long, the line of it that a search found."""
    found = getattr(document, "line", "") if len(document.body) > LONG_NOTE else ""
    return (
        clip(" ".join(found.split()), longest)
        if found.strip()
        else first_sentences(document.title, document.body, longest)
    )


def _repeats(text: str, document: Document) -> bool:
    """Return whether the beginning of a text repeats most words of the title.

    It must repeat all of them if somebody edited the memory: one word can be the correction.
    """
    words = plain_words(document.title)
    begins = set(plain_words(text)[: len(words) + max(len(words), LEAD)])
    share = 1 if '"edited":{' in document.row else REPEATED
    return sum(word in begins for word in words) >= share * len(words)


def _fitting(picks: Sequence[Pick], budget: int, count: Callable[[str], int]) -> dict[Pick, str]:
    """Map each memory that fits into a budget to its line, the most valuable memory first."""
    left = budget - count(prompt_fence.overhead())
    chosen: dict[Pick, str] = {}
    costs: dict[str, int] = {}
    for section, share in (*SHARE.items(), *dict.fromkeys(HEADINGS, 1.0).items()):
        room = int(left * share)
        headed = any(pick.section == section for pick in chosen)
        misses = 0
        for pick in picks:
            if misses == MISSES or room < LEAST:
                break  # the rest is worth less, and no shorter
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
    """Yield a memory's line, then shorter ones; all show its author, date and staleness."""
    yield line(pick)
    if len(pick.document.body) > SHORTER:
        yield line(pick, excerpt=SHORTER)
    yield line(pick, excerpt=0)
    yield line(pick, excerpt=0, title=SHORTEST)


def _laid_out(picks: Iterable[Pick], lines: dict[Pick, str]) -> Iterator[str]:
    section = ""
    for pick in picks:
        if pick.section != section:
            section = pick.section
            yield HEADINGS[section]
        yield lines[pick]
