"""Extract memory candidates from sessions and files, and decide what to store."""
