"""Read rules for agents in CLAUDE.md, AGENTS.md, .cursorrules and the like as learnings.

Headings, code, tables and descriptions of the code are not rules; they are reported as left out.
"""

from git_lerim.extraction.from_files.rules.reading import read

__all__ = ["read"]
