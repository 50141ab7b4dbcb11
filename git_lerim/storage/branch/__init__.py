"""A store on a separate branch, and its repair."""
