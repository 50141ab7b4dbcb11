"""Run `git lerim sync`, and skip it if nothing is new."""
