"""The work behind each command, as functions that take and return plain values."""
