"""Workshop: giving memories back."""
