"""Read and write git's objects and refs, through libgit2 or through git's own processes."""
