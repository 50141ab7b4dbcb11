"""Recognize standing wishes in eleven languages, using a list of patterns for each."""
