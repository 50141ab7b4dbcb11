"""Recognize standing wishes in eleven languages, by a list of patterns for each."""
