"""Compact transcripts: texts, one line per tool call, and excerpts of failures."""

import re

TEXT_LIMIT = 20_000  # characters of one prompt or reply; longer ones are pasted files and logs
HEAD, TAIL = 1_500, 2_500  # characters kept of a failing result: the error is mostly at the end
LINE_LIMIT = 300

_BLANK = re.compile(r"\s+")


def said(text: str) -> str:
    """Return a prompt or reply, with its middle cut out if it is very long."""
    if len(text) <= TEXT_LIMIT:
        return text
    return _middle_cut(text, TEXT_LIMIT // 2, TEXT_LIMIT // 2)


def failure(text: str) -> str:
    """Return the head and tail of a failed tool's output."""
    return _middle_cut(text, HEAD, TAIL) if len(text) > HEAD + TAIL else text


def one_line(tool: str, subject: str) -> str:
    """Return a tool call as one line: the tool, and its command, path or pattern."""
    line = _BLANK.sub(" ", f"{tool}: {subject}" if subject else tool).strip()
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"


def _middle_cut(text: str, head: int, tail: int) -> str:
    return f"{text[:head]}\n[… {len(text) - head - tail} characters …]\n{text[-tail:]}"
