"""Wishes: how people say in eleven languages what they want from now on, by patterns. Each language
has its own list.
"""
