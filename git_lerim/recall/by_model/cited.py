"""Split a model's answer into sentences, and keep those supported by the notes they cite."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from git_lerim.recall.answers.evidence import sentences
from git_lerim.recall.index.terms import terms

_CITED = re.compile(
    r"(?:\s*(?:(?:[,;&]|and\b)\s*)?\[\s*[A-Z]\d{1,3}(?:\s*(?:[,;]\s*)?[A-Z]\d{1,3})*\s*\])+"
)
_NAME = re.compile(r"[A-Z]\d{1,3}")
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_LIST = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_NOTHING = re.compile(r"\W*nothing\W*", re.IGNORECASE)
_QUOTED = re.compile(r"`([^`\n]+)`")
# What looks like a name in code, a path, a number or a ticket: it must come from the notes.
_WORD = re.compile(r"[\w./:#@%$+-]*\w")
_NAMED = re.compile(r"\d|_|[a-z][A-Z]|\w[./]\w")
_NUMBER = re.compile(r"\d+")
# a commit or a memory: its digits are no number that a note tells
_ID = re.compile(r"\b(?!\d+\b)(?:[0-9a-f]{7,40}|[a-z2-7]{13})\b")
_WORDS = {"e.g", "i.e", "and/or", "a.m", "p.m"}
# A sentence without a word of its cited notes is rejected if it shares so many with another note.
_SHARED = 2
_MARKS = re.compile(r"[\s`*_\"'“”‘’«»\\,:-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note that a model is shown and may cite."""

    name: str  # M1, C2, S1
    id: str  # the memory's id or the session's
    facts: str  # kind, date, state
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of an answer, with the ids of the notes that it cites."""

    text: str
    ids: tuple[str, ...]


@dataclass(slots=True)
class AnswerReader:
    """An answer, read line by line while it is streamed."""

    notes: Mapping[str, Note]
    question: str = ""
    kept: list[Sentence] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # each with the reason
    is_nothing: bool = False
    _rest: str = ""

    def add(self, piece: str) -> list[Sentence]:
        """Process the next piece, and return the accepted sentences that it completes."""
        self._rest = _THOUGHT.sub("", self._rest + piece)
        if self._rest.lstrip().startswith("<think>"):
            return []
        *lines, self._rest = self._rest.split("\n")
        return [sentence for line in lines for sentence in self._line(line)]

    def end(self) -> list[Sentence]:
        """Process the rest as the last line, and return its accepted sentences."""
        return self.add("\n")

    def _line(self, line: str) -> Iterator[Sentence]:
        # in the notes `<` is escaped, so that it cannot close their fence
        line = _unescaped(_LIST.sub("", line).strip())
        if not self.kept and _NOTHING.fullmatch(line):
            self.is_nothing = True
        elif line and not self.is_nothing:
            for text, names in _parts(line):
                yield from self._checked(text, names)

    def _checked(self, text: str, names: Sequence[str]) -> Iterator[Sentence]:
        cited = [self.notes[name] for name in dict.fromkeys(names) if name in self.notes]
        for one in sentences(text):
            if fault := self._fault(one, cited):
                self.left_out.append((one, fault))
            else:
                sentence = Sentence(text=one, ids=tuple(note.id for note in cited))
                self.kept.append(sentence)
                yield sentence

    def _fault(self, text: str, cited: Sequence[Note]) -> str:
        """Return the reason to reject a sentence, or an empty string to accept it."""
        if not cited:
            return "it cites nothing that was shown"
        if strange := strange_names(
            text, [f"{note.text} {note.facts}" for note in cited], self.question
        ):
            return f"the notes it cites do not contain {', '.join(strange[:5])}"
        words, shown = set(terms(text)), set(terms(" ".join(note.text for note in cited)))
        if words.isdisjoint(shown) and any(
            len(words & set(terms(note.text))) >= _SHARED for note in self.notes.values()
        ):
            return "it cites another note, not the one that mentions this"
        return ""


def _parts(line: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of a line, each with the names of the notes that are cited after it."""
    place = 0
    for found in _CITED.finditer(line):
        text = line[place : found.start()].strip().removeprefix(".").strip()
        place = found.end()
        if any(map(str.isalnum, text)):
            ends = "" if text.endswith((".", "!", "?", "。", ":")) else "."
            yield text + ends, _NAME.findall(found[0])
    rest = line[place:].strip(" .")
    if rest:
        yield rest, []


def strange_names(text: str, shown: Iterable[str], question: str) -> list[str]:
    """Return the names, paths and numbers in a text that its sources do not contain.

    Its sources are the cited notes and the question.
    """
    told = "\n".join([*shown, question])
    known, numbers = _folded(told), set(_NUMBER.findall(_ID.sub(" ", told)))
    words = [
        *_QUOTED.findall(text),
        *(
            word
            for word in _WORD.findall(_QUOTED.sub(" ", text))
            if _NAMED.search(word) and word not in _WORDS
        ),
    ]
    return [
        word
        for word in dict.fromkeys(words)
        if (word not in numbers if word.isdecimal() else _folded(word) not in known)
    ]


def _folded(text: str) -> str:
    return _MARKS.sub("", _unescaped(text)).casefold()


def _unescaped(text: str) -> str:
    """Undo the escaping of `<` and `>` in the notes that a model was given."""
    return text.replace("&lt;", "<").replace("&gt;", ">")
