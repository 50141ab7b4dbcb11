"""A store on a branch of its own, and what heals it."""
