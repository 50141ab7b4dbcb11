"""The program: `git-lerim`, `git lerim` and `python -m git_lerim`."""

import sys

from git_lerim.cli import main

if __name__ == "__main__":
    sys.exit(main())
