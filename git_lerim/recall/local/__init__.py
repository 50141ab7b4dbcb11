"""Local records beside the index: what was shown, what is stale, what contradicts."""
