"""The history of a store: read it, rewrite it, sign it."""
