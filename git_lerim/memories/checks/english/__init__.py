"""Orders in English text that only the user may give."""
