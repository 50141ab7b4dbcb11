"""Text without the notation around it: escapes, quotes, encodings, colour codes."""
