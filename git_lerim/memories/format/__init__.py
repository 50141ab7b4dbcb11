"""Memories as markdown with front matter, read and written."""
