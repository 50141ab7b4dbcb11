"""The program: `git-lerim`, `git lerim` and `python -m git_lerim`."""

import sys


def main() -> int:
    """Run a command line; what is asked for often and has not changed is answered before anything else is loaded."""
    try:
        if _was_printed():
            return 0
        from git_lerim import cli  # noqa: PLC0415 the point of this module

        return cli.main()
    except KeyboardInterrupt:  # while something was being loaded; else the boundary has said it
        return 130


def _was_printed() -> bool:
    from git_lerim.recall import listing  # noqa: PLC0415 an interrupt while it is loaded is caught too

    try:
        return listing.printed(sys.argv[1:])
    except OSError:  # no reader, no space, no folder to stand in: the command itself finds the words for it
        return False


if __name__ == "__main__":
    sys.exit(main())
