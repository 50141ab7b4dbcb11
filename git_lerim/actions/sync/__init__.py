"""Run `git lerim sync`, or skip the work if nothing is new."""
