"""A memory of decisions and lessons for a repository, stored in git itself."""

__version__ = "0.1.0"
