"""`git lerim recall`: the same as `git lerim search`."""

from git_lerim.commands.search import command

__all__ = ["command"]
