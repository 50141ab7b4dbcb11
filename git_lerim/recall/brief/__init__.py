"""The memories that an agent is given, and a record of those it already has."""
