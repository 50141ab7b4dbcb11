"""A person at a real terminal, who types something and reads all that comes."""

import os
import pty
import subprocess
import sys
from pathlib import Path


def at_terminal(folder: Path, words: list[str], typed: str) -> str:
    """Run `git lerim …` on a terminal of its own and return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "git_lerim", *words], cwd=folder,
        env=os.environ | {"PYTHONSAFEPATH": "1", "TERM": "dumb"},
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:  # the program has ended
        pass
    process.wait(timeout=60)
    os.close(ours)
    return shown.decode("utf-8", "replace").replace("\r\n", "\n")
