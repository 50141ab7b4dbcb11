"""From sessions to commits: discover, read, extract, join with what is stored."""
