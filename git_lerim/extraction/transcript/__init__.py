"""Read a transcript: turns, sentences and words, its summary, and what it left open."""
