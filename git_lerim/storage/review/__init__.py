"""Changes that wait for a person: proposals, and dropped memories."""
