"""What git is asked about the files of the work tree, and what its answers mean.

Imports almost nothing, so that the hot paths may use it: they run git in their own way.
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
    """Return the files that a status names."""
    return [entry[3:].decode("utf-8", "surrogateescape") for entry in answer.split(b"\0") if entry]


def is_text(path: str) -> bool:
    """Tell whether a path is text: git takes any bytes for one, an index of memories does not."""
    return not any("\ud800" <= char <= "\udfff" for char in path)
