"""Search: from a query to ranked hits."""
