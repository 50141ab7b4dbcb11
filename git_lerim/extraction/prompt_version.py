"""The version of what a model is asked about a session: raise it when the prompt, the schema or the transcript changes."""

PROMPT_VERSION = 2
