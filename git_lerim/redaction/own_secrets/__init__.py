"""The user's own secrets, found in any form."""
