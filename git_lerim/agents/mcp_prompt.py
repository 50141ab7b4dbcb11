"""Recognize the prompt of an MCP server, which Gemini CLI and Qwen Code send as a JSON string."""

import re

STRING = r"\s*\"(?:[^\"\\\x00-\x1f]|\\.)*\"\s*"
_ALONE = re.compile(STRING)


def is_prompt(text: str) -> bool:
    """Return whether a message is a single JSON string, and thus not the user's own words."""
    return _ALONE.fullmatch(text) is not None
