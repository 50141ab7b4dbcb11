"""Codex: rollouts in `sessions/` and `archived_sessions/`, in all its formats since 2025."""

from git_lerim.agents.codex.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
