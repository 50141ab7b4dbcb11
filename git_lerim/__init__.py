"""A memory for a repository, kept in git."""

__version__ = "0.1.0"
