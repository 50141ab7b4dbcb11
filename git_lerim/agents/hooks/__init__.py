"""Install hooks in agents, and answer them: their events, payloads and answer formats."""
