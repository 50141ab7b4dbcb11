"""Recognize memories that only repeat a memory the agent was given, to store nothing twice."""

import re
from collections.abc import Collection, Mapping

from msgspec.structs import replace

from git_lerim.memories.memory import Memory, Origin
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.similarity import contradicts, near_duplicate
from git_lerim.sessions.session import Role, Session

SHARE = 0.7  # share of a title's words that the other memory has, too
_WORDS = 3  # least number of shared words; all of a shorter title
_TURNS = re.compile(
    r"\b(?:no longer|not|never|instead of|stop|drop|remove|replace|switch|cannot|don[’']t)\b",
    re.IGNORECASE,
)

# The fence around memories given to agents, as it is and as clients escape it: `<`, `&lt;`,
# `&amp;lt;`, `\\u003c`.
_OPEN, _CLOSE = r"(?:<|&(?:amp;)*lt;|\\u003[cC])", r"(?:>|&(?:amp;)*gt;|\\u003[eE])"
_FENCE = re.compile(
    rf"{_OPEN}lerim-memory-([0-9a-f]{{12}}){_CLOSE}(?:.*?{_OPEN}/lerim-memory-\1{_CLOSE}|.*)\s*",
    re.DOTALL,
)
_LINE = re.compile(r"\[([a-z2-7]{13})\] \d{4}-\d\d-\d\d ")
_WORDS_OF = frozenset(
    (Role.PROMPT, Role.REPLY, Role.SUMMARY, Role.REPORT, Role.APPROVAL, Role.ANSWER)
)


def without_fences(session: Session) -> tuple[Session, frozenset[str]]:
    """Return a session without the memories injected into it, and the ids of these memories."""
    ids: set[str] = set()
    records = []
    for record in session.records:
        if record.role in _WORDS_OF:
            ids.update(_LINE.findall(record.text))
        if "lerim-memory-" not in record.text:
            records.append(record)
            continue
        ids.update(_LINE.findall(record.text))
        text = _FENCE.sub("", record.text).strip()
        if text or record.role not in {Role.PROMPT, Role.REPLY}:
            records.append(replace(record, text=text))
    return (replace(session, records=tuple(records)) if ids else session), frozenset(ids)


def echoed(memory: Memory, given: Collection[Memory]) -> Memory | None:
    """Return the given memory that a new one only repeats, or None if it says something else.

    What the user typed is never an echo, nor does a memory echo one that cites the same session.
    """
    if memory.origin is Origin.HUMAN:
        return None
    mine = {(source.agent, source.session) for source in memory.sources}
    for other in given:
        if other.id == memory.id or mine & {
            (source.agent, source.session) for source in other.sources
        }:
            continue
        if not contradicts(memory, other) and (
            near_duplicate(memory, other) or _repeats(memory, other)
        ):
            return other
    return None


def given_to(session: Collection[str], memories: Mapping[str, Memory]) -> list[Memory]:
    """Return the stored memories that a session was given; `session` contains their ids."""
    return [memories[id_] for id_ in sorted(session) if id_ in memories]


def _repeats(memory: Memory, other: Memory) -> bool:
    """Return whether the other memory contains nearly all words of a memory's title."""
    said = f"{other.title} {other.body}"
    if _TURNS.search(memory.title) and not _TURNS.search(said):
        return False  # similar words may say the opposite
    words, known = claim(memory.title).words, claim(said).words
    shared = len(words & known)
    return shared > 1 and shared >= min(_WORDS, len(words)) and shared >= SHARE * len(words)
