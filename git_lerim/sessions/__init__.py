"""The sessions of coding agents: their records, catalog and queue."""
