"""Run git as a process."""
