"""Compact transcripts: texts, one line per tool call, and excerpts of failures.

A text is cut twice: the agent's reader leaves a margin at each cut, and the gate removes the margin
after redacting secrets. Without the margin, a secret at the cut would be halved and not recognized.
Where redaction has shortened a text, the whole margin goes, too: its end may be half a secret. The
reader's cuts have an invisible mark, since a text may say of itself that it was cut.
"""

import re

from git_lerim.redaction.finding import MARKER
from git_lerim.sessions.session import Role

TEXT_LIMIT = 20_000  # characters of one prompt or reply; longer ones are pasted files and logs
HEAD, TAIL = 1_500, 2_500  # characters kept of a failing result: the error is mostly at the end
LINE_LIMIT = 300
MARGIN = 4_000  # characters; most private keys are shorter, and longer ones are found by their end
LINE_MARGIN = 400

_CUT = "…"
_MARK = "\u2060"  # of a cut by the reader
_BLANK = re.compile(r"\s+")
_GAP = re.compile(rf"\n{_MARK}?\[… (\d{{1,12}}) characters …\]\n")


def said(text: str) -> str:
    """Return a prompt or reply, with its middle left out if it is very long."""
    return _ends(text, TEXT_LIMIT // 2 + MARGIN, TEXT_LIMIT // 2 + MARGIN, _MARK)


def failure(text: str) -> str:
    """Return the beginning and the end of a failed tool's output."""
    return _ends(text, HEAD + MARGIN, TAIL + MARGIN, _MARK)


def one_line(tool: str, subject: str) -> str:
    """Return a tool call as one line: the tool, and its command, path or pattern."""
    line = f"{tool}: {subject}" if subject else tool
    line = _BLANK.sub(" ", line).strip()
    limit = LINE_LIMIT + LINE_MARGIN
    return line if len(line) <= limit else line[:limit] + _CUT + _MARK


def cut(role: Role, text: str) -> str:
    """Return a redacted text without the margins that the agent's reader left at the cuts."""
    if role is Role.CALL:
        return _cut_line(text)
    head, tail = (HEAD, TAIL) if role is Role.RESULT else (TEXT_LIMIT // 2, TEXT_LIMIT // 2)
    gaps = list(_GAP.finditer(text))
    if not gaps:
        return _ends(text, head, tail)
    by_reader = [gap for gap in gaps if _MARK in gap[0]]
    gaps = by_reader or gaps
    before, after = text[: gaps[0].start()], text[gaps[-1].end() :]
    margin = MARGIN if by_reader else 0
    first, last = (_kept(part, most, margin) for part, most in ((before, head), (after, tail)))
    less = len(before) - first + len(after) - last
    if not less:
        return text
    return _joined(before[:first], int(gaps[0][1]) + less, after[len(after) - last :])


def _kept(part: str, most: int, margin: int) -> int:
    """Return how many characters of a part beside a gap are kept.

    A part without redactions is as long as the reader left it.
    """
    return min(most, max(len(part) - margin, 0) if MARKER in part else len(part))


def _cut_line(text: str) -> str:
    by_reader = text.endswith(_CUT + _MARK)
    if len(text) <= LINE_LIMIT and not by_reader:
        return text
    whole = len(text) - len(_CUT + _MARK) - LINE_MARGIN if by_reader else len(text)
    return text[: max(min(LINE_LIMIT - 1, whole), 0)] + _CUT


def _ends(text: str, head: int, tail: int, mark: str = "") -> str:
    """Return the two ends of a long text; `mark` precedes the words that stand for the rest."""
    if len(text) <= head + tail:
        return text
    return _joined(text[:head], len(text) - head - tail, text[-tail:], mark)


def _joined(head: str, omitted: int, tail: str, mark: str = "") -> str:
    return f"{head}\n{mark}[… {omitted} characters …]\n{tail}"
