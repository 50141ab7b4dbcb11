"""Codex: rollouts below `sessions/` and `archived_sessions/`, plain and compressed, of all its
formats since 2025.
"""

from git_lerim.agents.codex.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
