"""The similarity of memories, from their words alone."""
