"""Who wrote which version of a file, according to git."""
