"""Text under the notation that wraps it: escapes, quotes, encodings, colour codes."""
