"""What of a store is handed out, and in whose name."""
