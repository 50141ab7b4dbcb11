"""Tool: the only home of pygit2 and of git as a process."""
