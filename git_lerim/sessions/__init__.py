"""Noun: what an agent and its user said."""
