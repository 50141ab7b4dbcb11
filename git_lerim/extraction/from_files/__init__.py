"""Read memories from files that people and other tools wrote, one module per format."""
