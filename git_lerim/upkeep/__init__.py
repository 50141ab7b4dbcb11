"""Workshop: keeping memories true."""
