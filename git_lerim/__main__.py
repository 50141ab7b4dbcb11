"""The entry point of `git-lerim`, `git lerim` and `python -m git_lerim`."""

import sys

# verb → who answers it before anything else is loaded, where nothing has changed since it was
# answered last: a function that takes the words after the verb, and returns the exit code, or None
# to let the command itself run. Its module is to import almost nothing, and must not have written
# anything when it returns None or raises OSError.
AT_ONCE = {
    "brief": "git_lerim.recall.fast.brief_cache:run",
    "hook": "git_lerim.actions.hooks.hook:answer_hook",
    "list": "git_lerim.recall.fast.list_cache:run",
    "recall": "git_lerim.recall.fast.fast_search:run",
    "search": "git_lerim.recall.fast.fast_search:run",
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
    except KeyboardInterrupt:  # while something was being loaded; else the boundary has said it
        return 130


def _at_once(words: list[str]) -> int | None:
    if not words or words[0] not in AT_ONCE:
        return None
    module, _, function = AT_ONCE[words[0]].partition(":")
    try:
        answer = getattr(__import__(module, fromlist=[function]), function)
        code: int | None = answer(words[1:])
    except (
        OSError
    ):  # no reader, no space, no folder to stand in: the command itself finds the words for it
        return None
    return code


if __name__ == "__main__":
    sys.exit(main())
