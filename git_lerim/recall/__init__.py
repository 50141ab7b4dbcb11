"""Retrieve memories: search, briefs, answers, and the memories behind code."""
