"""Find the anchors of a memory: the lines of each file that mention its identifiers."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from git_lerim.errors import GitFailed
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness import anchoring, claims
from git_lerim.upkeep.freshness.rejected import claimed_words

if TYPE_CHECKING:
    from git_lerim.actions.code.session_work import Left
    from git_lerim.storage.code import Code  # loads libgit2

MOST = 8  # per memory
_LARGEST = 1 << 20  # bytes of a file to search


def find_anchors(
    code: "Code", files: Iterable[Anchor], title: str, body: str, left: "Left | None" = None
) -> tuple[Anchor, ...]:
    """Return anchors at the lines and symbols of files that a memory's text mentions.

    An anchor that already has lines keeps them. Anchors to whole files come last. Files are
    searched as their session left them, if `left` knows that, or else as the anchors name them.
    """
    chosen = [anchor for file in files for anchor in _in_file(code, file, (title, body), left)]
    chosen.sort(key=lambda anchor: anchor.lines is None)  # whole files last
    return tuple(chosen[:MOST])


def named_in(code: "Code", found: Iterable[Anchor], text: str) -> tuple[Anchor, ...]:
    """Return the anchors whose file, or code in it, a text names.

    Plain words, such as `German`, name no code, whatever the file has.
    """
    words = [word for word in claims.named_words(text, "") if not word.literal]

    def is_named(anchor: Anchor) -> bool:
        if claims.finder(anchor.path.rpartition("/")[2]).search(text):
            return True
        content = content_of(code, anchor.blob).decode("utf-8", "replace") if words else ""
        return any(claims.occurs(word, content) for word in words)

    return tuple(anchor for anchor in found if is_named(anchor))


def content_of(code: "Code", blob: str | None) -> bytes:
    """Return the content of a file, or nothing if it is large, or missing in a partial clone."""
    try:
        is_small = blob is not None and code.objects.size(blob) <= _LARGEST
        return code.objects.blob(blob) if blob is not None and is_small else b""
    except GitFailed:
        return b""


def _in_file(
    code: "Code", file: Anchor, text: tuple[str, str], left: "Left | None"
) -> list[Anchor]:
    new = left.anchors(file.path, *text) if left and file.lines is None else []
    if new and new[0].lines:
        return new
    content = content_of(code, file.blob)
    if not content:
        return new or [file]
    if file.lines is None:
        found = anchoring.anchors_in(content, file, *text)
        rows = content.decode("utf-8", "replace").split("\n")
        # the session replaced these lines if they only have what the memory wants replaced
        is_past = bool(new) and not anchoring.spans(rows, claimed_words(*text, rows))
        return found if found[0].lines and not is_past else new or found
    symbol = anchoring.symbol(content.decode("utf-8", "replace").split("\n"), file.lines)
    return [replace(file, symbol=symbol)]
