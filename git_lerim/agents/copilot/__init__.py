"""GitHub Copilot CLI: event logs, and the JSON documents of older versions."""

from git_lerim.agents.copilot.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
