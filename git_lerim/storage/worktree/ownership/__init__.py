"""Which files of a work tree were written in this clone."""
