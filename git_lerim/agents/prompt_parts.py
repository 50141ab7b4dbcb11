"""Read the parts of a prompt as Gemini CLI and Qwen Code store them."""

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from git_lerim.agents import toolcalls

_MENTIONED = re.compile(r"\s*(?:--- )?Content from ")  # the head of a file that the user mentioned


def text_below(parts: Iterable[Any]) -> str:
    """Return the text of a prompt's later parts, up to the files that the user mentioned.

    If a slash command inserts a file, the file's content is a part of its own.
    """
    texts = (toolcalls.joined([part]) for part in parts)
    return "\n".join(takewhile(lambda text: not _MENTIONED.match(text), texts))
