"""Import memories from the repository's own history and documents, using a model."""
