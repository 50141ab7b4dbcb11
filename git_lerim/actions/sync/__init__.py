"""One run of `git lerim sync`, and the short cut where nothing is new."""
