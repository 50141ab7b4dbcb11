"""What the agent wrote and the session bears out: causes, lessons, facts, approved plans."""
