"""Tell whether two memories say the same or contradict each other."""
