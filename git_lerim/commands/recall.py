"""`git lerim recall`: an alias of `git lerim search`."""

from git_lerim.commands.search import command

__all__ = ["command"]
