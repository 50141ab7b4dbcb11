"""Answers given before click is imported, from the index and caches as they are."""
