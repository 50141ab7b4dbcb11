"""Ask a model to replace several small memories on one subject by one memory.

Each sentence of the new text must quote the memory that it comes from. The text must keep every
name and number in these memories, and must not add any.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from git_lerim.extraction.by_model.answer import Unusable, decoded
from git_lerim.extraction.by_model.names import missing, without_spaces
from git_lerim.extraction.by_model.prompt import TEXT, array_schema, object_schema, prompt_text
from git_lerim.extraction.transcript.words import terms
from git_lerim.llm.base import Message
from git_lerim.memories.memory import TITLE_LIMIT, Memory
from git_lerim.tokens import clip

LEAST = 3  # fewest memories to combine; two that say the same are merged instead
_BODY = 2500  # characters
_REASON = 200
_SHORTEST_QUOTE = 6  # characters, without spaces
_NEW = 0.4  # share of unknown words above which a sentence goes beyond the memories


class _Fact(msgspec.Struct, kw_only=True):
    text: str
    source: str = msgspec.field(name="from")
    quote: str


class _Reply(msgspec.Struct, kw_only=True):
    memories: list[str]
    facts: list[_Fact] = []
    title: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A new memory's text, and the memories that it combines."""

    ids: tuple[str, ...]
    title: str
    body: str
    reason: str


@dataclass(frozen=True)
class Question:
    """A question to a model: whether some memories should become one memory."""

    memories: Sequence[Memory]
    needs_all: bool = False  # a person chose the memories, so all of them must be combined

    @property
    def names(self) -> Mapping[str, Memory]:
        """Map each name that the model sees (M1, M2, …) to its memory."""
        return {f"M{number}": memory for number, memory in enumerate(self.memories, 1)}

    def messages(self) -> list[Message]:
        """Return the request to the model; the same memories always yield the same request."""
        lines = [
            f"{name} ({memory.created:%Y-%m-%d}): {_line(memory.title)} | {_line(memory.body)}"
            for name, memory in self.names.items()
        ]
        told = ["MEMORIES", *lines, "END OF MEMORIES"]
        if self.needs_all:
            told += ["", "A person chose them: all of them become one."]
        return [("system", prompt_text("consolidate.md")), ("user", "\n".join(told))]

    def read(self, text: str, *, is_cut: bool) -> Written | None:
        """Return the new memory from an answer, or None if the memories should stay separate.

        Raises Unusable if the answer fails a check.
        """
        reply = decoded(text, _Reply, is_cut=is_cut)
        names = list(dict.fromkeys(name.strip() for name in reply.memories))
        if not names and not self.needs_all:
            return None
        if faults := list(self._faults(reply, names)):
            raise Unusable("; ".join(faults[:8]))
        return Written(
            ids=tuple(self.names[name].id for name in names),
            title=_line(reply.title),
            body=" ".join(_line(fact.text) for fact in reply.facts),
            reason=clip(_line(reply.reason), _REASON),
        )

    def _faults(self, reply: _Reply, names: Sequence[str]) -> Iterator[str]:
        unknown = [name for name in names if name not in self.names]
        if unknown:
            yield f"it names memories that were not shown: {clip(', '.join(unknown), 60)}"
            return
        if len(names) < LEAST or (self.needs_all and len(names) < len(self.names)):
            yield f"it takes {'all' if self.needs_all else f'{LEAST} or more'} memories, or none"
        title, body = _line(reply.title), " ".join(_line(fact.text) for fact in reply.facts)
        if not title or len(title) > TITLE_LIMIT or not 0 < len(body) <= _BODY:
            yield (
                f"it needs a title of at most {TITLE_LIMIT} characters, and facts of at most"
                f" {_BODY} together"
            )
        own = {name: _text(self.names[name]) for name in names}
        yield from _faults_of_facts(reply.facts, own)
        yield from _faults_of_names(f"{title}\n{body}", own)


def schema() -> dict[str, Any]:
    """Return the JSON schema that the model's answer must fit."""
    fact = object_schema({"text": TEXT, "from": TEXT, "quote": TEXT})
    return object_schema(
        {
            "reason": TEXT,
            "memories": array_schema(TEXT),
            "title": TEXT,
            "facts": array_schema(fact),
        }
    )


def _faults_of_facts(facts: Sequence[_Fact], own: Mapping[str, str]) -> Iterator[str]:
    known = {term for text in own.values() for term in terms(text)}
    for number, fact in enumerate(facts, 1):
        quote, source = without_spaces(fact.quote), own.get(fact.source.strip())
        if source is None or len(quote) < _SHORTEST_QUOTE or quote not in without_spaces(source):
            yield f"fact {number} has a quote that is not in the memory it names, word for word"
        said = terms(fact.text)
        if not said or sum(term not in known for term in said) > _NEW * len(said):
            yield f"fact {number} says what none of the memories says"
    quoted = {fact.source.strip() for fact in facts}
    if left := [name for name in own if name not in quoted]:
        yield f"no fact quotes {', '.join(left)}"


def _faults_of_names(text: str, own: Mapping[str, str]) -> Iterator[str]:
    before = "\n".join(own.values())
    if strange := missing(text, before):
        yield f"it names what none of the memories names: {', '.join(strange[:6])}"
    if lost := missing(before, text):
        yield f"it loses what the memories name: {', '.join(lost[:12])}"


def _text(memory: Memory) -> str:
    return f"{memory.title}\n{memory.body}"


def _line(text: str) -> str:
    return " ".join(text.split())
