"""The entry point of `git-lerim`, `git lerim` and `python -m git_lerim`."""

import sys

# Fast paths by verb, tried before anything else is loaded: each function takes the words after the
# verb and returns the exit code, or None to let the command itself run. Its module must import
# almost nothing. A function that returns None or raises OSError must not have written anything.
AT_ONCE = {
    "brief": "git_lerim.recall.fast.brief_cache:run",
    "hook": "git_lerim.actions.hooks.hook:answer_hook",
    "list": "git_lerim.recall.fast.list_cache:run",
    "recall": "git_lerim.recall.fast.fast_search:run",
    "search": "git_lerim.recall.fast.fast_search:run",
    "statusline": "git_lerim.recall.fast.statusline_cache:run",
    "sync": "git_lerim.actions.sync.noop_cache:replay",
}


def main() -> int:
    """Run a command line, trying the fast paths for frequent commands before loading click."""
    try:
        code = _at_once(sys.argv[1:])
        if code is not None:
            return code
        from git_lerim import cli  # noqa: PLC0415 the point of this module

        return cli.main()
    except (KeyboardInterrupt, RuntimeError) as error:
        # while loading, where Python may wrap an interrupt; later ones are handled in cli.py
        if isinstance(error, RuntimeError) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        return 130


def _at_once(words: list[str]) -> int | None:
    if not words or words[0] not in AT_ONCE:
        return None
    module, _, function = AT_ONCE[words[0]].partition(":")
    try:
        answer = getattr(__import__(module, fromlist=[function]), function)
        code: int | None = answer(words[1:])
    except OSError:  # such as no space or no current folder: the command itself explains it
        return None
    return code


if __name__ == "__main__":
    sys.exit(main())
