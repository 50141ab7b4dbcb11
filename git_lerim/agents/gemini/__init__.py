"""Gemini CLI: JSON Lines logs, the JSON documents before them, and sub-agents."""

from git_lerim.agents.gemini.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
