"""Share the memory: pull, push, proposals and their review, and bundles."""
