"""A store in the files of the user's work tree."""
