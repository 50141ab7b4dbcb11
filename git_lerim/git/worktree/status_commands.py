"""The git status command for hot paths, and how to parse its output.

This module imports almost nothing, and leaves running git to the hot paths.
"""

STATUS = (
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=dirty",
)


def changed(answer: bytes) -> list[str]:
    """Return the paths in the output of `git status`."""
    return [entry[3:].decode("utf-8", "surrogateescape") for entry in answer.split(b"\0") if entry]


def is_text(path: str) -> bool:
    """Tell whether a path is valid text: git allows any bytes, an index of memories does not."""
    return not any("\ud800" <= char <= "\udfff" for char in path)
