"""The user's work tree, read without writing to it."""
