"""Judge sentences by weights that were learned from labelled ones."""
