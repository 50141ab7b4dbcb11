"""Questions that a model answers from notes, and the checks on its answers."""
