"""Fetch and push with the user's own git."""
