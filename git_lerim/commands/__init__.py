"""The commands of git-lerim, one module each."""
