"""The similarity of memories, by their words alone."""
