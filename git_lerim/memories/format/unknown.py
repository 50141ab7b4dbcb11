"""Keep the unknown keys of front matter, which a newer version of git-lerim wrote.

They are sorted, and compared by type and value.
"""

import json
from collections.abc import Mapping
from typing import Any

from git_lerim.memories.clean_text import line, text


class Unknown(dict[str, Any]):
    """Unknown keys with their values, equal only if they are written in the same way.

    So `1`, `1.0` and `true` differ.
    """

    __slots__ = ()
    __hash__ = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Unknown":
        """Return an Unknown with these keys and values in normal form."""
        return cls(_mapping(values)) if values else NOTHING

    def __eq__(self, other: object) -> bool:
        """Return whether both are written in the same way."""
        return isinstance(other, dict) and ((not self and not other) or order(self) == order(other))

    def __ne__(self, other: object) -> bool:
        """Return whether they are written in different ways."""
        return not self == other


NOTHING = Unknown()


def order(value: Any) -> str:
    """Return a sort key that is equal only for values that are written the same."""
    return json.dumps(value, sort_keys=True)


def _mapping(values: Mapping[Any, Any]) -> dict[str, Any]:
    """Sort the keys; if two keys are equal in normal form, keep the greater value."""
    pairs = [(line(str(key)), _normal(value)) for key, value in values.items()]
    return dict(sorted(pairs, key=lambda pair: (pair[0], order(pair[1]))))


def _normal(value: Any) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return _mapping(value)
    return [_normal(inner) for inner in value] if isinstance(value, list | tuple) else value
