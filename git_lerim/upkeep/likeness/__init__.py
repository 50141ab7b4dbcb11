"""Tell whether two memories say the same thing or contradict each other."""
