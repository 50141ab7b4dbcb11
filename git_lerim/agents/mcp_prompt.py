"""Recognize the prompt of an MCP server, which Gemini CLI and Qwen Code send as a JSON string."""

import json


def is_prompt(text: str) -> bool:
    """Return whether a message is one JSON string: its words are the server's, not the user's."""
    text = text.strip()
    if not (text.startswith('"') and text.endswith('"')):
        return False
    try:
        return isinstance(json.loads(text), str)
    except ValueError:
        return False
