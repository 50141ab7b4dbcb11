"""Merge versions of one memory."""
