"""Find, in English text, orders that only the user may give."""
