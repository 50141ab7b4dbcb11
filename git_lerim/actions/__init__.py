"""The steps of commands, as functions that take and return plain values."""
