"""Make commits as the user's git would: with the user's identity, signature and hooks."""
