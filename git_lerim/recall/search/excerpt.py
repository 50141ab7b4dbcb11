"""Shorten a memory to the first sentences of its body that add to its title."""

import re

from git_lerim.tokens import clip

LONGEST = 400  # characters of an excerpt: room for the point, its reason and what to do
READ = 1200  # characters of a body that are read

_END = re.compile(
    r"[.!?](?<![.\s(]\w[.!?])(?<!\.\.\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\betc\.)"
    r"[\"'”)\]`*]*(?=\s|$)|[。！？]"
)
_SECTION = re.compile(r"(?:^|\n)##? ")
_WORD = re.compile(r"\w+")


def first_sentences(title: str, body: str, longest: int = LONGEST) -> str:
    """Return the first sentences of a body that add to its title, up to `longest` characters."""
    if body.startswith(f"{title}\n"):
        body = body[len(title) :]
    text = " ".join(_SECTION.split(body[:READ], maxsplit=1)[0].split())
    known = set(_WORD.findall(title.casefold()))
    taken = ""
    start = 0
    for match in _END.finditer(text):
        if _in_quotation(text, match.end()):  # a part of a quotation might say something else
            continue
        sentence, start = text[start : match.end()].strip(), match.end()
        if taken and len(taken) + len(sentence) >= longest:
            return _closed(clip(taken, longest))
        if not _says_only(known, sentence):
            taken = f"{taken} {sentence}".strip()
    rest = text[start:].strip()
    return _closed(clip(taken or ("" if _says_only(known, rest) else rest), longest))


def _says_only(known: set[str], sentence: str) -> bool:
    return set(_WORD.findall(sentence.casefold())) <= known


def _in_quotation(text: str, end: int) -> bool:
    return "”" in text[end:] and text.rfind("“", 0, end) > text.rfind("”", 0, end)


def _closed(taken: str) -> str:
    """Close a quotation whose end was cut off."""
    return f"{taken}”" if taken.rfind("“") > taken.rfind("”") else taken
