"""Doors that stay open: servers that programs talk to."""
