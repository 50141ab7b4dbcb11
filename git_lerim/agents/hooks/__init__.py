"""Hooks in agents: install them, read the payloads that they get, and format the answers."""
