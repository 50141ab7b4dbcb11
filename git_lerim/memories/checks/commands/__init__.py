"""Command lines in texts, and which of them stay inside the repository."""
