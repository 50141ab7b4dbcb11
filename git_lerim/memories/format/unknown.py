"""Keys that this version does not know, from a newer one: kept, in one order, and compared by type
as well as by value.
"""

import json
from collections.abc import Mapping
from typing import Any

from git_lerim.memories.clean_text import line, text


class Unknown(dict[str, Any]):
    """Unknown keys in normal form: equal only where they are written the same, so `1`, `1.0` and
    `true` differ.
    """

    __slots__ = ()
    __hash__ = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Unknown":
        """Return keys and values in normal form."""
        return cls(_mapping(values)) if values else NOTHING

    def __eq__(self, other: object) -> bool:
        """Compare what would be written."""
        return isinstance(other, dict) and ((not self and not other) or order(self) == order(other))

    def __ne__(self, other: object) -> bool:
        """Compare what would be written."""
        return not self == other


NOTHING = Unknown()


def order(value: Any) -> str:
    """Return what puts two values in order; equal for values that are written the same, and only
    for those.
    """
    return json.dumps(value, sort_keys=True)


def _mapping(values: Mapping[Any, Any]) -> dict[str, Any]:
    """Sort keys; where two are the same in normal form, the greater value stays, whichever came
    first.
    """
    pairs = [(line(str(key)), _normal(value)) for key, value in values.items()]
    return dict(sorted(pairs, key=lambda pair: (pair[0], order(pair[1]))))


def _normal(value: Any) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return _mapping(value)
    return [_normal(inner) for inner in value] if isinstance(value, list | tuple) else value
