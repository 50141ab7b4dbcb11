"""What answers before click is imported: the index and the caches as they are."""
