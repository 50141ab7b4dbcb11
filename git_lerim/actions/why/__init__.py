"""Explain why code is as it is: the memories, commits and sessions behind it."""
