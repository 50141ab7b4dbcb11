"""Gemini CLI: JSON Lines logs, the JSON documents of older versions, and sub-agents' logs."""

from git_lerim.agents.gemini.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
