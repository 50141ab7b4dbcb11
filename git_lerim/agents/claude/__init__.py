"""Claude Code: `projects/<folder>/<session>.jsonl`, and the files of its sub-agents."""

from git_lerim.agents.claude.reading import NAME, find, read, roots

__all__ = ["NAME", "find", "read", "roots"]
