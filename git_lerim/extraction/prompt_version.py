"""Versions of the model prompts; increase one when its prompt, schema or input changes."""

PROMPT_VERSION = 6  # asks what to keep of a session
COMPARE_VERSION = 2  # asks how a session's memories relate to those of other sessions
HISTORY_VERSION = 2  # asks what to keep of the repository's history and documents
STILL_TRUE_VERSION = 1  # asks whether memories are still true after their code changed
CONSOLIDATE_VERSION = 1  # asks whether several memories can become one
