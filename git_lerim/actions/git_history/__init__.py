"""Import memories from the repository's commits and documents, using a model."""
