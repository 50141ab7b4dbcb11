"""List the names of files for an agent, without those that give it an order."""

import json
import re
from collections.abc import Sequence

from git_lerim.actions.judged import order_in

_PLAIN = re.compile(r"[^\s\"\\]+")
_BETWEEN_WORDS = re.compile(r"[-_/]+")


def without_odd_names(paths: Sequence[str]) -> tuple[str, ...]:
    """Return file names, in quotes if they have spaces; those that give orders are counted."""
    kept = [
        path if _PLAIN.fullmatch(path) else _quoted(path) for path in paths if not is_order(path)
    ]
    if not (odd := len(paths) - len(kept)):
        return tuple(kept)
    return (
        *kept,
        "1 more file with an odd name" if odd == 1 else f"{odd} more files with odd names",
    )


def is_order(name: str) -> bool:
    """Return whether the name of a file or branch gives an order."""
    return bool(order_in(name) or order_in(_BETWEEN_WORDS.sub(" ", name)))


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)
