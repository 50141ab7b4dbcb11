"""Blame, log, dates and definitions: what git knows of the past of code."""
