"""Objects and refs, by libgit2 or by git's own processes."""
