"""Link memories that an agent wrote with `remember` to the session in which it did so."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from git_lerim.actions.authorship import NO_WISH, SAID, SAYS_MORE, UNCONFIRMED, UNHEARD
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

    A memory that quotes the user becomes active if the user said these words in the session, also
    if the agent wrote it in another one.
    """
    calls = remember_calls(session)
    mine = (session.agent, session.id)
    found = []
    for memory in (item.memory for item in stored if item.memory.origin is Origin.AGENT):
        others = tuple(
            source for source in memory.sources if (source.agent, source.session) != mine
        )
        if memory.touched or (others and memory.suspect not in UNCONFIRMED):
            continue
        if (
            call := next((record for record in calls if _is_call_of(record, memory)), None)
        ) is not None and not others:
            source = Source(
                agent=session.agent, session=session.id, part=call.part, records=((call.n, call.n),)
            )
            found.append(_confirm_quote(replace(memory, sources=(source,)), session))
        elif _cites_words(memory):
            found += confirmed_by(memory, session)
    return found


def _cites_words(memory: Memory) -> bool:
    """Return whether the user's words confirm a memory, or may do so."""
    is_confirmed = memory.sources and not memory.suspect and _words_of(memory)
    return bool(memory.suspect in UNCONFIRMED or is_confirmed)


def confirmed_by(memory: Memory, session: Session, later: Sequence[str] = ()) -> list[Memory]:
    """Return a memory that quotes the user as active, citing the message, if a session has it.

    `later` are messages of later sessions, in which the user may take the words back.
    """
    place = _heard_at(_words_of(memory), session, later)
    if place is None or _missing(memory):
        return []
    source = Source(agent=session.agent, session=session.id, records=((place, place),))
    return [replace(memory, sources=(source,), suspect=None, status=Status.ACTIVE)]


def _is_call_of(call: Record, memory: Memory) -> bool:
    """Return whether a call wrote a memory: the call has its title and came shortly before it."""
    if call.at is None or not -1000 <= memory.created.timestamp() * 1000 - call.at <= _WINDOW:
        return False
    beginning = memory.title[: max(_SHORTEST, len(memory.title) // 2)]
    return " ".join(beginning.split()) in " ".join(f"{call.text} {call.command or ''}".split())


def _confirm_quote(memory: Memory, session: Session) -> Memory:
    """Activate a memory that quotes the user, if the user said this and did not take it back.

    If not, say what is missing.
    """
    words = _words_of(memory) if memory.suspect in UNCONFIRMED else ""
    if not words:
        return memory
    missing = UNHEARD if _heard_at(words, session) is None else _missing(memory)
    return replace(memory, suspect=missing, status=Status.SUSPECT if missing else Status.ACTIVE)


def _words_of(memory: Memory) -> str:
    """Return the user's words that an agent's memory quotes, or an empty string."""
    quote = _QUOTE.search(memory.body)
    return " ".join(_MARKS_BEFORE.sub("", quote[1]).rstrip(_MARKS).split()) if quote else ""


def messages_of(session: Session) -> list[tuple[int, str]]:
    """Return what the user typed in a session, each with the number of its record."""
    # the rules take long to load, and `status` loads this module
    from git_lerim.extraction.transcript.user_text import is_automated, typed  # noqa: PLC0415

    return [
        (record.n, _QUOTED_LINE.sub("", typed(record.text[:_LOOKED_AT])))
        for record in session.records
        if record.role in _OWN and record.part is None and not is_automated(record.text)
    ]


def _heard_at(words: str, session: Session, later: Sequence[str] = ()) -> int | None:
    """Return the number of the last record in which the user said these words.

    Return None if there is none, or if the user took them back afterwards.
    """
    spaced = r"\s+".join(map(re.escape, words.split()))
    said = re.compile(f"{_BEGINS}({spaced}){_ENDS}", re.IGNORECASE)
    told = messages_of(session) if words else []
    heard = [place for place, (_, text) in enumerate(told) if _says_so(said, text)]
    if not heard:
        return None
    after = [*(text for _, text in told[heard[-1] + 1 :]), *later]
    return None if _taken_back(words, after) else told[heard[-1]][0]


def _taken_back(words: str, later: Sequence[str]) -> bool:
    """Return whether the user takes their words back in a later message of the session."""
    from git_lerim.extraction.by_rules.reversals import withdraws  # noqa: PLC0415 as above
    from git_lerim.extraction.transcript.words import terms  # noqa: PLC0415

    about = terms(words)
    return any(withdraws(text, about, is_next=not place) for place, text in enumerate(later))


def _missing(memory: Memory) -> str | None:
    """Return why the user's words do not say all that a memory does; None if they do.

    If the memory is a preference, the words must also express a wish.
    """
    from git_lerim.extraction.wishes.says import has_form_of_wish, wish_in  # noqa: PLC0415 as above

    words = _words_of(memory)
    if says_more(memory.title, _QUOTE.sub("", memory.body), words):
        return SAYS_MORE
    is_wish = memory.kind is not Kind.PREFERENCE or any(
        wish_in(one) or has_form_of_wish(one) for one in _SENTENCE.split(words)
    )
    return None if is_wish else NO_WISH


def _says_so(quote: re.Pattern[str], text: str) -> bool:
    """Return whether a text contains a quote, and nowhere rejects it or ascribes it to others."""
    from git_lerim.extraction.wishes.disowned import is_disowned  # noqa: PLC0415 as above

    spans = [found.span(1) for found in quote.finditer(text)]
    return bool(spans) and not any(is_disowned(text, *span) for span in spans)
