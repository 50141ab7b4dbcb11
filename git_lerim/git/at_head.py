"""What git is asked about the files of HEAD and of the work tree, and what its answers mean.

Imports almost nothing, so that the hot paths may use it: they run git in their own way.
"""

from collections.abc import Iterable

STATUS = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")


def asking_blobs(paths: Iterable[str]) -> list[str]:
    """Return the arguments by which git tells which blobs stand at paths of HEAD."""
    return ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", "HEAD", "--", *paths]


def askable(path: str) -> bool:
    """Tell whether a path can be asked about: one that leads out of the repository would spoil the answer for all."""
    return bool(path) and not {"", ".", ".."} & set(path.split("/")) and "\0" not in path


def blobs(answer: bytes, paths: Iterable[str]) -> dict[str, str | None]:
    """Return the blob at each path; None where no file stands."""
    found: dict[str, str | None] = dict.fromkeys(paths)
    for entry in answer.split(b"\0"):
        facts, _, path = entry.partition(b"\t")
        _, kind, id_ = facts.decode("ascii", "replace").split(" ") if facts.count(b" ") == 2 else ("", "", "")
        if kind == "blob":
            found[path.decode("utf-8", "surrogateescape")] = id_
    return found


def changed(answer: bytes) -> list[str]:
    """Return the files that a status names."""
    return [entry[3:].decode("utf-8", "surrogateescape") for entry in answer.split(b"\0") if entry]


def is_text(path: str) -> bool:
    """Tell whether a path is text: git takes any bytes for one, an index of memories does not."""
    return not any("\ud800" <= char <= "\udfff" for char in path)
