"""List the names of files for an agent, without those that give it an order."""

import json
import re
from collections.abc import Sequence

from git_lerim.actions.judged import order_in

_PLAIN = re.compile(r"[^\s\"\\]+")
_SENTENCE = 6  # fewest words
_BETWEEN_WORDS = re.compile(r"[-_/]+")


def without_odd_names(paths: Sequence[str]) -> tuple[str, ...]:
    """Return file names, quoted if they have spaces; names that give orders are only counted."""
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
    # the rules take long to load
    from git_lerim.memories.checks.orders_of_others import harm_in_label  # noqa: PLC0415

    return bool(order_in(name) or order_in(_BETWEEN_WORDS.sub(" ", name))) or any(
        harm_in_label(_BETWEEN_WORDS.sub(" ", part)) for part in name.split("/") if _is_prose(part)
    )


def _is_prose(part: str) -> bool:
    """Return whether a part of a path is a sentence, rather than a name such as `skip-tests`."""
    return " " in part or len(_BETWEEN_WORDS.split(part)) >= _SENTENCE


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)
