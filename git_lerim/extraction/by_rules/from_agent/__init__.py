"""Rules for what the agent wrote and the session confirms: causes, lessons, facts, plans."""
