"""Workshop: where memories live."""
