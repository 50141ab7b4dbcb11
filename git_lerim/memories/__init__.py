"""Memories: pure values, without disk, clock or network."""
