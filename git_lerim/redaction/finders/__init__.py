"""One module for each way in which a secret shows."""
