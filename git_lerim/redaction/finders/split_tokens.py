"""Join the pieces of a token that is split into several lines or string literals."""

import re

_PIECE = re.compile(r"[\w-]{0,200}")
# the end of a line, or of a string literal that is joined with the next one
_JOINT = re.compile(
    r"\n[ \t]{0,12}(?=[\w-]{4})|"
    r"([\"'])[ \t]{0,8}(?:\\?\n[ \t]{0,40})?(?:\+|\.{1,2}|&)?"
    r"[ \t]{0,8}(?:\\?\n[ \t]{0,40})?\1(?=[\w-])"
)
_PIECES = 12
_SHORTEST_PIECE = 4  # characters of a piece that continues on the next line


def joined(text: str, at: int) -> tuple[str, list[tuple[int, int]]]:
    """Join the pieces of a token that starts at a position.

    Return the joined text, and a pair for each piece: where it starts in the joined text and in the
    original text. A token that is not split is one piece.
    """
    body, starts = "", [(0, at)]
    for _ in range(_PIECES):
        piece = _PIECE.match(text, at)
        joint = _JOINT.match(text, piece.end()) if piece else None
        body += piece[0] if piece else ""
        if not (piece and joint) or (not joint[1] and len(piece[0]) < _SHORTEST_PIECE):
            break
        at = joint.end()
        starts.append((len(body), at))
    return body, starts
