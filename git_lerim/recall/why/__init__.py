"""The memories behind a piece of code."""
