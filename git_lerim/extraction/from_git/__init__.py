"""What of a repository's own history and documents is worth a model's reading."""
