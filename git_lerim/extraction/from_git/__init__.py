"""Choose which parts of a repository's own history and documents a model reads."""
