"""A plugin or extension file that git-lerim alone writes, and that runs `git lerim hook`."""

from functools import partial
from pathlib import Path

from git_lerim.errors import LerimError
from git_lerim.file_edits import ManagedFile

MARK = b"// git-lerim writes this file"


def own_file(path: Path, text: str, what: str) -> ManagedFile:
    """Return a file that git-lerim writes and deletes as a whole.

    If somebody else wrote a file of that name, it is left as it is: adding ours raises LerimError.
    """
    return ManagedFile(
        path=path, add=partial(_added, path, text.encode()), strip=_stripped, what=what, folders=1
    )


def _added(path: Path, text: bytes, data: bytes | None) -> bytes:
    if data and not data.startswith(MARK):
        raise LerimError(
            f"{path} was not written by git-lerim", hint="move it away, then install again"
        )
    return text


def _stripped(data: bytes) -> bytes | None:
    return None if data.startswith(MARK) else data
