"""Everything git-lerim knows about each coding agent, one module or package each."""
