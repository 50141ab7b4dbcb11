"""Fast paths: answer common commands from the index and caches, before click is imported."""
