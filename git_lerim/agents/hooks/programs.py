"""The git-lerim programs that our entries in an agent's files run."""

import json
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from git_lerim.agents.hooks.servers import is_program
from git_lerim.file_edits import ManagedFile, read

_LONGEST = 4096  # bytes read of a script's first line
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')  # as in JSON, TOML and JavaScript


def programs(file: ManagedFile) -> list[Path]:
    """Return the absolute paths of the programs that git-lerim's part of a file runs.

    Raises LerimError for a file that cannot be parsed.
    """
    data = read(Path(os.path.realpath(file.path))) or b""
    ours = _strings(data) - _strings(data and file.strip(data))
    words = (word for text in ours for word in _words(text))
    return sorted({Path(word) for word in words if is_program(word) and Path(word).is_absolute()})


def is_runnable(program: Path) -> bool:
    """Return whether a program is there, and for a script also its interpreter.

    A virtual environment's Python is a link that dangles once the Python behind it was removed.
    """
    if not os.access(program, os.X_OK):
        return False
    try:
        with program.open("rb") as file:
            first = file.readline(_LONGEST)
    except OSError:
        return True
    interpreter = first[2:].split()[:1] if first.startswith(b"#!") else []
    return all(os.access(each, os.X_OK) for each in interpreter)


def _strings(data: bytes | None) -> Counter[str]:
    return Counter(_STRING.findall((data or b"").decode("utf-8", "replace")))


def _words(literal: str) -> Iterator[str]:
    """Yield a string as one word, as in the entry of an MCP server, and as a command's words."""
    try:
        text = json.loads(literal)
        yield text
        yield from shlex.split(text)
    except ValueError:
        return
