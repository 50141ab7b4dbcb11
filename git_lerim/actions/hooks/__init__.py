"""What git's hooks and the agents' hooks run, and how they are installed."""
