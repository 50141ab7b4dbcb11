"""What an agent is given, and what it was given before."""
