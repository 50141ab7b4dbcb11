"""Local records beside the index: which memories were shown, are stale, or contradict others."""
