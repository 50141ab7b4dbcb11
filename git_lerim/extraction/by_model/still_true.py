"""Ask a model whether memories are still true after a change to the code they are about.

Several memories are sent in one call. A verdict is valid only if its memory was asked about, its
quote is in the code shown for the memory, and a corrected text names nothing that was not shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import msgspec

from git_lerim.extraction.by_model.answer import Unusable, decoded
from git_lerim.extraction.by_model.names import missing, without_spaces
from git_lerim.extraction.by_model.prompt import (
    TEXT,
    array_schema,
    enum_schema,
    object_schema,
    prompt_text,
    repair_json,
)
from git_lerim.llm.base import Message
from git_lerim.memories.memory import TITLE_LIMIT
from git_lerim.tokens import clip, span

MOST = 8  # memories of one call
LARGEST = 24_000  # characters of one call
_BODY = 1500  # characters of a body that the model is shown or writes
_REASON = 200
_QUOTE = 160
_SHORTEST_QUOTE = 4  # characters, without spaces


class Verdict(StrEnum):
    """Whether a memory is still true of the present code."""

    TRUE = "true"
    OUTDATED = "outdated"  # true except for a detail, which can be corrected
    UNTRUE = "untrue"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A change to one place in the code, as it is shown to a model."""

    path: str
    now: str
    lines: tuple[int, int]
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A memory to be judged, and the changes to the code it is about; neither contains secrets."""

    id: str
    title: str
    body: str
    day: str
    code: tuple[Shown, ...]

    def shown(self, name: str) -> str:
        """Return the text that shows this memory and its code changes to the model.

        `name` is the short name by which the model refers to the memory. Title and body are on one
        line.
        """
        title, body = (" ".join(text.split()) for text in (self.title, self.body))
        parts = [f"{name} ({self.day}): {title} | {clip(body, _BODY)}"]
        for each in self.code:
            moved = f", now {each.now}" if each.now != each.path else ""
            rows = [f"  {row}" for row in each.diff.split("\n")]
            parts += [f"CODE of {name}: {each.path}:{span(each.lines)}{moved}", *rows]
        return "\n".join([*parts, f"END of {name}"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A model's verdict on one memory, with a new text if a detail is outdated."""

    id: str
    verdict: Verdict
    reason: str
    quote: str = ""
    title: str = ""  # of the corrected memory
    body: str = ""


class _Item(msgspec.Struct, kw_only=True):
    name: str
    verdict: Verdict
    quote: str = ""
    reason: str = ""
    title: str = ""
    body: str = ""


class _Reply(msgspec.Struct, kw_only=True):
    memories: list[_Item]


@dataclass(frozen=True)
class Question:
    """The memories that a model is asked about in one call."""

    cases: Sequence[Case]
    faults: list[str] = field(default_factory=list)  # of the last answer

    @property
    def names(self) -> Mapping[str, Case]:
        """Map each name that the model sees (M1, M2, …) to its memory."""
        return {f"M{number}": case for number, case in enumerate(self.cases, 1)}

    def messages(self) -> list[Message]:
        """Return the request that asks the model about all memories of this question."""
        shown = "\n\n".join(case.shown(name) for name, case in self.names.items())
        return [("system", prompt_text("still_true.md")), ("user", shown)]

    def read(self, text: str, *, is_cut: bool) -> list[Judged]:
        """Return the valid verdicts of an answer; record the faults of the others in `faults`.

        Raises Unusable if the answer cannot be parsed.
        """
        self.faults.clear()
        found: dict[str, Judged] = {}
        seen: set[str] = set()
        for item in decoded(text, _Reply, is_cut=is_cut).memories:
            name = item.name.strip()
            case = self.names.get(name)
            faults = _faults(case, item) if case else ["was not asked about"]
            if name in seen:
                faults.append("is judged twice")
                found.pop(case.id if case else "", None)
            seen.add(name)
            self.faults.extend(f"{clip(name, 20)} {fault}" for fault in faults)
            if case and not faults:
                found[case.id] = _judged(case, item)
        return list(found.values())

    def read_strictly(self, text: str, *, is_cut: bool) -> list[Judged]:
        """Return all verdicts of an answer. Raises Unusable if one is missing or has a fault."""
        found = self.read(text, is_cut=is_cut)
        known = {one.id for one in found}
        named = {fault.partition(" ")[0] for fault in self.faults}
        left = [n for n, case in self.names.items() if case.id not in known and n not in named]
        faults = [*self.faults, *(f"{name} is left out" for name in left)]
        if faults:
            raise Unusable("; ".join(faults[:12]))
        return found


def batches(cases: Sequence[Case]) -> list[Question]:
    """Split memories into questions that each fit into one call, in the same order."""
    found: list[list[Case]] = []
    size = 0
    for case in cases:
        own = len(case.shown("M1"))
        if not found or len(found[-1]) >= MOST or size + own > LARGEST:
            found.append([])
            size = 0
        found[-1].append(case)
        size += own
    return [Question(each) for each in found]


def repair(fault: Unusable) -> str:
    """Return the message that asks a model to correct the faults of its answer."""
    return repair_json(fault, ", with each memory once. Say unsure where no line shown decides.")


def schema() -> dict[str, Any]:
    """Return the JSON schema that the model's answer must fit."""
    memory = {
        "name": TEXT,
        "reason": TEXT,
        "quote": TEXT,
        "verdict": enum_schema(Verdict),
        "title": TEXT,
        "body": TEXT,
    }
    return object_schema({"memories": array_schema(object_schema(memory))})


def _judged(case: Case, item: _Item) -> Judged:
    is_new = item.verdict is Verdict.OUTDATED
    return Judged(
        id=case.id,
        verdict=item.verdict,
        reason=clip(" ".join(item.reason.split()), _REASON),
        quote=clip(" ".join(item.quote.split()), _QUOTE),
        title=" ".join(item.title.split()) if is_new else "",
        body=item.body.strip() if is_new else "",
    )


def _faults(case: Case, item: _Item) -> list[str]:
    """Return the faults of a verdict; none if it can be used."""
    if item.verdict is Verdict.UNSURE:
        return []
    faults = []
    quote = without_spaces(item.quote.lstrip("+-"))
    rows = "\n".join(row[1:] for each in case.code for row in each.diff.split("\n"))
    if len(quote) < _SHORTEST_QUOTE or quote not in without_spaces(rows):
        faults.append("has a quote that is not in the code shown for it, word for word")
    if item.verdict is Verdict.OUTDATED:
        faults += _faults_of_text(case, item, rows)
    return faults


def _faults_of_text(case: Case, item: _Item, rows: str) -> list[str]:
    faults = []
    title, body = " ".join(item.title.split()), item.body.strip()
    if not title or len(title) > TITLE_LIMIT or len(body) > _BODY or (case.body and not body):
        faults.append(
            f"needs a title of at most {TITLE_LIMIT} characters and a body of at most {_BODY}"
        )
    if without_spaces(title + body) == without_spaces(case.title + case.body):
        faults.append("is called outdated, but its text is the same")
    known = "\n".join([case.title, case.body, rows, *(each.now for each in case.code)])
    if strange := missing(f"{title}\n{body}", known):
        faults.append(f"names what was not shown: {', '.join(strange[:6])}")
    return faults
