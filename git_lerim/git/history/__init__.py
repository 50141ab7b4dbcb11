"""Blame, log, dates and definitions: the history of the user's code."""
