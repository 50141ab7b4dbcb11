"""What waits for a person: proposals, and what was dropped."""
