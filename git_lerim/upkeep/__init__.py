"""Keep memories true: merge duplicates, resolve contradictions, archive what is outdated."""
