"""The agent skill that explains how to use the memory, and a short form of it."""

from git_lerim.agents.hooks.skills import skill

__all__ = ["SHORT", "skill"]

SHORT = (
    "This repository has a memory in git. Before choosing between options, changing code you do not"
    " know or repeating a failing command, run `git lerim search WORDS` (or `git lerim why"
    " PATH:LINE`). When the user decides something or states a wish for all work, or a trap cost"
    ' time, run `git lerim remember "One statement. The reason."`. Not steps, status or edits.'
)
