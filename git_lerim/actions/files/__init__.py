"""Memories from files, and memories as files."""
