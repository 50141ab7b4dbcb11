"""The user's terminal, treated as git treats it: size, colours and pager."""
