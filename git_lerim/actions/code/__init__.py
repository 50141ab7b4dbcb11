"""Memories and code: which memories the code contradicts, and which apply on this branch."""
