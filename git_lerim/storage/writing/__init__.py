"""What every write to a store needs: lock, retry, message, preconditions."""
