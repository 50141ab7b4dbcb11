"""OpenCode: its database, the tree of JSON files of older versions, and its exports."""

from git_lerim.agents.opencode.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
