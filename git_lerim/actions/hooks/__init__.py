"""The commands that git's and the agents' hooks run, and their installation."""
