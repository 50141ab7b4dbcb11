"""Build a Memory from the texts, lists and mappings of front matter."""

import re
from collections.abc import Mapping
from math import inf
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories.clean_text import line
from git_lerim.memories.format.forms import Plain, absent
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import HEAD, Memory

KNOWN = frozenset(each.name for each in HEAD)


def build(values: Mapping[str, Any], body: str) -> Memory:
    """Build a memory, in normal form, from its front matter and body. Raises BadMemory."""
    made: dict[str, Any] = {}
    missing = []
    for each in HEAD:
        if each.optional and absent(values.get(each.name)):
            missing.append(each)
        else:
            made[each.name] = each.form.read(each.name, values.get(each.name))
    for each in sorted(
        missing, key=lambda each: each.missing is not None
    ):  # values derived from others come last
        made[each.name] = each.when_missing(made)
    try:
        return clean(Memory(**made, body=body, unknown=_unknown(values)))
    except OverflowError:
        raise BadMemory("a time is outside the years 1 to 9999") from None


def _unknown(values: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: _typed(value) for key, value in values.items() if key not in KNOWN}
    if hidden := [key for key in found if line(key) in KNOWN]:
        raise BadMemory(f"the key {hidden[0]!a} is `{line(hidden[0])}` with invisible characters")
    return found


_TYPED: dict[str, Any] = {"null": None, "~": None, "": None, "true": True, "false": False}
_NUMBER = re.compile(
    r"-?(?:0|[1-9][0-9]{0,17})(?P<fraction>(?:\.[0-9]{1,17})?(?:e[+-][0-9]{2,3})?)"
)


def _typed(value: Any) -> Any:
    """Convert the unquoted values of an unknown key to JSON's null, booleans and numbers.

    `no`, `1e3` and `12:30:45` stay text.
    """
    if isinstance(value, dict):
        return {key: _typed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_typed(inner) for inner in value]
    if not isinstance(value, Plain):
        return value
    if value in _TYPED:
        return _TYPED[value]
    number = _NUMBER.fullmatch(value)
    if not number or float(value) in {inf, -inf}:
        return str(value)
    return float(value) if number["fraction"] else int(value)
