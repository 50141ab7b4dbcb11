"""From sessions to commits: discover, read, extract, reconcile with what is stored."""
