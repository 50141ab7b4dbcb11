"""Checks of memories before they are committed or handed out."""
