"""Memories as pure values: nothing in this package uses a disk, clock or network."""
