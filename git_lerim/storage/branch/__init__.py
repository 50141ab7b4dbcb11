"""A store on a branch of its own, and its repair."""
