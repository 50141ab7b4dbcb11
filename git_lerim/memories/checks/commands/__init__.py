"""Find command lines in texts, and tell which of them stay inside the repository."""
