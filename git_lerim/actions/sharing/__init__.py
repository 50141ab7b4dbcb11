"""Share the memory with a team: push, pull, propose, review, back up."""
