"""Maintain the store: merge, supersede and archive memories, on request or daily."""
