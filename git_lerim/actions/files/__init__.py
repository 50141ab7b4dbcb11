"""Import memories from files, and export them to files."""
