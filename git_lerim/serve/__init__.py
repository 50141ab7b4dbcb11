"""Servers for other programs."""
