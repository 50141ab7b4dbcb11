"""Make commits as the user's git would: identity, signature, the user's hooks."""
