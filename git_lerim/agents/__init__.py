"""Workshop: everything known of each coding agent, one module each."""
