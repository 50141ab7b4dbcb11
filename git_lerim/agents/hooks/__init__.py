"""Install and answer agents' hooks: their events, payloads and answer formats."""
