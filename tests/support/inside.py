"""A person at a prompt whose verbs run in the process of the tests: many of them in a moment."""

import contextlib
import io
import os
import sys
from pathlib import Path

from git_lerim import __main__
from support.world import Ran


def lerim(folder: Path, *words: str) -> Ran:
    """Run `git lerim …` in a folder, as its entry point does, what answers at once included."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    stood = sys.argv, sys.stdin
    environ = dict(os.environ)
    try:
        sys.argv, sys.stdin = (
            ["git-lerim", *words],
            io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
        )
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = __main__.main()
    finally:
        sys.argv, sys.stdin = stood
        os.environ.clear()
        os.environ.update(environ)
    out.flush()
    err.flush()
    return Ran(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())  # type: ignore[attr-defined]
