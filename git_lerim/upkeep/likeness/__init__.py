"""Tell whether two memories say the same, or oppose each other."""
