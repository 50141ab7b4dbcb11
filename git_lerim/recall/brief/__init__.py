"""What an agent is given, and a record of what it already has."""
