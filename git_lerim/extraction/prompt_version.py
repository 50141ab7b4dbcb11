"""Versions of the model prompts; raise one when its prompt, schema or input changes."""

PROMPT_VERSION = 4  # about a session
COMPARE_VERSION = 2  # about its memories beside those of other sessions
HISTORY_VERSION = 1  # about the repository's history and documents
STILL_TRUE_VERSION = 1  # about memories beside changed code
CONSOLIDATE_VERSION = 1  # about memories that could be one
