"""Workshop: from a transcript to decisions about memories."""
