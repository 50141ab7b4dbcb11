"""GitHub Copilot CLI: event logs, and the JSON documents before them."""

from git_lerim.agents.copilot.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
