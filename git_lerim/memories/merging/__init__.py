"""Versions of one memory → one memory."""
