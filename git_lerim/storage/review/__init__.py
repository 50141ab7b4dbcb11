"""Changes that a person decides about: proposals, and memories dropped in triage."""
