"""Import memories from the repository's own history and documents, by a model."""
