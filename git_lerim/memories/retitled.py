"""Change a memory's title, and its text if that says no more than the old title."""

import re

from git_lerim.memories.format.body import body_itself
from git_lerim.memories.memory import Memory, Origin
from git_lerim.memories.naming import title_from
from git_lerim.memories.quotes import without_leads

_MOST = 0.75  # a title with this share of a quotation's words was taken from it
_TELLING = 4  # letters of a word that is likely to say what a title is about
_LONGER = 1.25  # times the words of a title in a text that it shortens
_WORD = re.compile(r"\w+")


def retitled(memory: Memory, title: str) -> Memory:
    """Return a memory with another title.

    If its text only repeats or quotes the old title, the new one also replaces the text: otherwise,
    readers of the text would still get the old one. A title that only shortens the text leaves it,
    since the text may give the reason. An agent's note keeps what it quotes. The section
    `## Also recorded` stays.
    """
    text = body_itself(memory.body)
    if title == memory.title or _shortens(title, text) or not _says_no_more(text, memory):
        return memory.having(title=title)
    return memory.having(title=title, body=title + memory.body[len(text) :])


def _shortens(title: str, text: str) -> bool:
    """Return whether a title says a part of a text in nearly the same words."""
    said, kept = _WORD.findall(without_leads(text).casefold()), _WORD.findall(title.casefold())
    telling = [word for word in kept if len(word) >= _TELLING] or kept
    same = sum(word in said for word in telling) >= _MOST * len(telling)
    return same and len(said) >= _LONGER * len(kept)


def _says_no_more(text: str, memory: Memory) -> bool:
    said = without_leads(text).strip()
    words = _WORD.findall(said.casefold())
    known = _WORD.findall(memory.title.casefold())
    if said == text.strip():
        is_one_sentence = not re.search(r"[.!?]\s|\n", said)
        return words == known or (is_one_sentence and title_from(said) == memory.title)
    is_one_quotation = said.startswith("“") and said.find("”") == len(said) - 1
    shared = sum(word in known for word in words)
    return memory.origin is not Origin.AGENT and is_one_quotation and shared >= _MOST * len(words)
