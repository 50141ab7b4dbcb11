"""Decide which of a set of memories are in force, and which are superseded."""
