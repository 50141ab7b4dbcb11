"""Store memories: in git, on a branch or in the work tree."""
