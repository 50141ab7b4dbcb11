"""Memories and code: why a line is as it is, and which memories the code has left behind."""
