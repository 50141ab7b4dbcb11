"""Join two histories of a store, and obey deletions made elsewhere."""
