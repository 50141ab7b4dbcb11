"""Find the anchors of a memory: the lines of each file that mention its identifiers."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from git_lerim.errors import GitFailed
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness import anchoring

if TYPE_CHECKING:
    from git_lerim.storage.code import Code  # loads libgit2

MOST = 8  # per memory
_LARGEST = 1 << 20  # bytes of a file to search


def find_anchors(
    code: "Code", files: Iterable[Anchor], title: str, body: str
) -> tuple[Anchor, ...]:
    """Return anchors at the lines and symbols of files that a memory's text mentions.

    An anchor that already has lines keeps them. Anchors to whole files come last.
    """
    chosen = [anchor for file in files for anchor in _in_file(code, file, title, body)]
    chosen.sort(key=lambda anchor: anchor.lines is None)  # whole files last
    return tuple(chosen[:MOST])


def _in_file(code: "Code", file: Anchor, title: str, body: str) -> list[Anchor]:
    try:
        if file.blob is None or code.objects.size(file.blob) > _LARGEST:
            return [file]
        content = code.objects.blob(file.blob)
    except GitFailed:  # missing in a partial clone
        return [file]
    if file.lines is None:
        return anchoring.anchors_in(content, file, title, body)
    return [
        replace(
            file,
            symbol=anchoring.symbol(content.decode("utf-8", "replace").split("\n"), file.lines),
        )
    ]
