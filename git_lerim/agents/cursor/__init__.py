"""Cursor: the databases of its editor and CLI, and the transcripts beside them."""

from git_lerim.agents.cursor.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
