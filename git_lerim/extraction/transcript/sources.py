"""Recognize the lines and sentences by which a text names the file, page or person it is from."""

import re

_ADDRESS = r"<?https?://[^\s)\]>]+>?"
_PLACES = (
    r"(?:README|CONTRIBUTING|CHANGELOG|AGENTS|CLAUDE|wiki|docs?|documentation|manual|handbook|"
    r"style ?guide|guidelines?|FAQ|website|blog|article|Stack ?Overflow|ChatGPT|Confluence|Notion)"
)
_FILE = r"(?:[\w.~-]*/)*[\w-][\w.-]*\.(?:mdc?|rst|txt|adoc|html?|pdf|docx?)"
_DOCUMENT = (
    rf"(?:{_ADDRESS}|`?{_FILE}`?|"
    rf"(?!(?:see|cf|as|also|siehe|vgl|voir|zie)\b)(?:[\w'’.-]+ ){{0,3}}?{_PLACES})"
)
_FROM = r"(?:(?:quoted|copied|pasted|taken|excerpt) from|from|aus|uit|из)"
_SOURCE = r"(?:source|quelle|fuente|fonte|bron|źródło|źrodło|источник|出典|来源|來源)"
_NAME = r"(?-i:[A-Z])[\w.'’-]+"
_MONTH = r"(?-i:[A-Z])[a-z]{2,8}"
# `Source: https://x.org/style`
_LINE = re.compile(rf"\W{{0,3}}{_SOURCE} ?[:：]\**\s*{_DOCUMENT}\W{{0,3}}$", re.IGNORECASE)
# `From https://x.org/style`, `From the wiki`
_HEAD = re.compile(rf"(?:{_FROM}|according to|laut|selon) {_DOCUMENT}$", re.IGNORECASE)
_OF = r"(?: (?:of|in|by) [^()\[\]\n]{1,40})?"
# A sentence of its own: `(from CONTRIBUTING.md)`, `[wiki]`, `— Eve`, `answered May 3`. Few users
# sign what they write to an agent; mails and chats that they paste are signed.
_CITES = re.compile(
    rf"[(\[](?:(?:{_FROM}|{_SOURCE} ?[:：]?|via) )?{_DOCUMENT}{_OF}[)\]]\W?$|"
    rf"[—–] ?@?{_NAME}(?: {_NAME}){{0,2}}(?:, [^.!?\n]{{1,40}})?$|[—–] ?@[\w.-]+$|"
    rf"(?:answered|asked|edited) {_MONTH} \d{{1,2}}(?:,? ['’]?\d{{2,4}})?"
    r"(?: at \d{1,2}[:.]\d\d)?\W?$",
    re.IGNORECASE,
)
# at the end of a sentence; without a word such as `from`, it may only say where to look
_ENDS = re.compile(
    rf"[(\[](?:{_FROM}|{_SOURCE} ?[:：]?|via) {_DOCUMENT}{_OF}[)\]]\W{{0,2}}$", re.IGNORECASE
)


def is_source(line: str) -> bool:
    """Return whether a line names where the text around it is from."""
    return _LINE.match(line) is not None


def begins_extract(line: str, next_line: str) -> bool:
    """Return whether a line says where the text below it is from, with an empty line between."""
    return not next_line and _HEAD.match(line) is not None


def cites(sentence: str) -> bool:
    """Return whether a sentence only says where the sentences before it are from."""
    said = sentence.strip()
    return is_source(said) or _CITES.match(said) is not None


def ends_with_source(sentence: str) -> bool:
    """Return whether a sentence names at its end where it is from."""
    return _ENDS.search(sentence) is not None
