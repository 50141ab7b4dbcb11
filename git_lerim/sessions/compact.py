"""What is kept of a transcript: words, one line a tool call, and the head and tail of what
failed.
"""

import re

TEXT_LIMIT = 20_000  # characters of one prompt or reply; longer ones are pasted files and logs
HEAD, TAIL = 1_500, 2_500  # characters kept of a failing result: the error mostly stands at the end
LINE_LIMIT = 300

_BLANK = re.compile(r"\s+")


def said(text: str) -> str:
    """Return a prompt or a reply, its middle cut out where it is longer than anybody would say."""
    if len(text) <= TEXT_LIMIT:
        return text
    return _middle_cut(text, TEXT_LIMIT // 2, TEXT_LIMIT // 2)


def failure(text: str) -> str:
    """Return the head and the tail of a failing tool's output."""
    return _middle_cut(text, HEAD, TAIL) if len(text) > HEAD + TAIL else text


def one_line(tool: str, subject: str) -> str:
    """Return a tool call in one line: the tool, and what it was called on (a command, a path, a
    pattern).
    """
    line = _BLANK.sub(" ", f"{tool}: {subject}" if subject else tool).strip()
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"


def _middle_cut(text: str, head: int, tail: int) -> str:
    return f"{text[:head]}\n[… {len(text) - head - tail} characters …]\n{text[-tail:]}"
