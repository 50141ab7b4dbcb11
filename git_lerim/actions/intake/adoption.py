"""Link memories that an agent wrote with `remember` to the session in which it did so."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from git_lerim.actions.authorship import SAID, UNHEARD
from git_lerim.actions.quoted_words import says_more
from git_lerim.memories.memory import Kind, Memory, Origin, Source, Status
from git_lerim.sessions.session import Record, Role, Session
from git_lerim.storage.base import Stored

_QUOTE = re.compile(re.escape(SAID) + r"(.+)”\Z", re.DOTALL)
_WINDOW = 600_000  # maximum milliseconds from a call to the memory that it wrote
_SHORTEST = 12  # minimum characters of a title that identify a call
_MARKS_BEFORE = re.compile(r"\A\W+")
_MARKS = " \"'“”„«»‘’*_-–—•,.!?;:"
# Quoted words begin a sentence, but for a polite word: before them, it could say the opposite.
# Each run of marks is read once, since prompts hold long ones.
_BEGINS = (
    r"(?:(?:\A|(?<=\n))[^\w\n]*+|(?<=\w)[^\w\n.!?;:…。！？]*+[.!?;:…。！？][^\w\n]*+)"
    r"(?:(?:please|pls|hey|hi|hello|ok|okay|so|and|also|now|then|"
    r"claude|codex|gemini|copilot|cursor|bitte|por favor)[\s,!.:]++){0,4}"
)
_ENDS = r"(?=[^\w\n]*(?:\Z|\n)|[,.!?;:…。！？)]|\s+[-–—(]|\s+(?:because|since|as|so)\b)"
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？])")
_LOOKED_AT = 20_000  # characters of a message in which a quote is searched
_QUOTED_LINE = re.compile(r"^[^\S\n]*>.*$", re.MULTILINE)
_OWN = (Role.PROMPT, Role.ANSWER, Role.REJECTION)


def remember_calls(session: Session) -> list[Record]:
    """Return the session's calls of `remember`, as a tool or as a shell command."""
    return [
        record
        for record in session.records
        if record.role is Role.CALL
        and ((record.tool or "").endswith("remember") or "lerim remember" in (record.command or ""))
        and not record.abandoned
    ]


def adopt_memories(session: Session, stored: Iterable[Stored]) -> list[Memory]:
    """Return the memories that an agent wrote in a session, citing the session and the call.

    A memory that quotes the user becomes active if the user said these words in the session.
    """
    calls = remember_calls(session)
    if not calls:
        return []
    mine = (session.agent, session.id)
    found = []
    for memory in (item.memory for item in stored if item.memory.origin is Origin.AGENT):
        others = tuple(
            source for source in memory.sources if (source.agent, source.session) != mine
        )
        if others or memory.touched:
            continue
        if (
            call := next((record for record in calls if _is_call_of(record, memory)), None)
        ) is not None:
            source = Source(
                agent=session.agent, session=session.id, part=call.part, records=((call.n, call.n),)
            )
            found.append(_confirm_quote(replace(memory, sources=(source,)), session))
    return found


def _is_call_of(call: Record, memory: Memory) -> bool:
    """Return whether a call wrote a memory: the call has its title and came shortly before it."""
    if call.at is None or not -1000 <= memory.created.timestamp() * 1000 - call.at <= _WINDOW:
        return False
    beginning = memory.title[: max(_SHORTEST, len(memory.title) // 2)]
    return " ".join(beginning.split()) in " ".join(f"{call.text} {call.command or ''}".split())


def _confirm_quote(memory: Memory, session: Session) -> Memory:
    """Activate a memory that quotes the user, if the user said this and did not take it back."""
    # the rules take long to load, and `status` loads this module
    from git_lerim.extraction.transcript.user_text import is_automated, typed  # noqa: PLC0415

    quote = _QUOTE.search(memory.body) if memory.suspect == UNHEARD else None
    words = _MARKS_BEFORE.sub("", quote[1]).rstrip(_MARKS).split() if quote else []
    if not words or not _expresses(" ".join(words), memory):
        return memory
    spaced = r"\s+".join(map(re.escape, words))
    said = re.compile(f"{_BEGINS}({spaced}){_ENDS}", re.IGNORECASE)
    told = [
        _QUOTED_LINE.sub("", typed(record.text[:_LOOKED_AT]))
        for record in session.records
        if record.role in _OWN and record.part is None and not is_automated(record.text)
    ]
    heard = [place for place, text in enumerate(told) if _says_so(said, text)]
    stands = heard and not _taken_back(" ".join(words), told[heard[-1] + 1 :])
    return replace(memory, suspect=None, status=Status.ACTIVE) if stands else memory


def _taken_back(words: str, later: Sequence[str]) -> bool:
    """Return whether the user takes their words back in a later message of the session."""
    from git_lerim.extraction.by_rules.reversals import withdraws  # noqa: PLC0415 as above
    from git_lerim.extraction.transcript.words import terms  # noqa: PLC0415

    about = terms(words)
    return any(withdraws(text, about, is_next=not place) for place, text in enumerate(later))


def _expresses(words: str, memory: Memory) -> bool:
    """Return whether the user's words say all that a memory does.

    If the memory is a preference, the words must also express a wish.
    """
    from git_lerim.extraction.wishes.says import wish_in  # noqa: PLC0415 as above

    if says_more(memory.title, _QUOTE.sub("", memory.body), words):
        return False
    return memory.kind is not Kind.PREFERENCE or any(map(wish_in, _SENTENCE.split(words)))


def _says_so(quote: re.Pattern[str], text: str) -> bool:
    """Return whether a text contains a quote, and nowhere rejects it or ascribes it to others."""
    from git_lerim.extraction.wishes.disowned import is_disowned  # noqa: PLC0415 as above

    spans = [found.span(1) for found in quote.finditer(text)]
    return bool(spans) and not any(is_disowned(text, *span) for span in spans)
