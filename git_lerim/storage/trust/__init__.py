"""Decide which memories of a store are handed out, and under whose name."""
