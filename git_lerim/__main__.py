"""The program: `git-lerim`, `git lerim` and `python -m git_lerim`."""

import sys

from git_lerim.recall import listing


def main() -> int:
    """Run a command line; what is asked for often and has not changed is answered before anything else is loaded."""
    if listing.printed(sys.argv[1:]):
        return 0
    from git_lerim import cli  # noqa: PLC0415 the point of this module

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
