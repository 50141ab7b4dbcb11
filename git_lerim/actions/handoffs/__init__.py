"""Hand work over from one agent to the next."""
