"""Edit JSON text in place; comments and trailing commas are allowed.

Everything that is not edited keeps its bytes, order and comments.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_OTHER = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_DEEPEST = 100


@dataclass(slots=True)
class Node:
    """A JSON value and its position in the text."""

    start: int
    end: int = 0
    kind: str = "other"  # object | array | other
    children: list["Child"] = field(default_factory=list)

    def get(self, key: str) -> "Node | None":
        """Return the value of a key, or the last one if the key occurs several times."""
        return next((child.value for child in reversed(self.children) if child.key == key), None)


@dataclass(slots=True)
class Child:
    """A member of a JSON object, or an item of an array; `start` is where its key begins."""

    start: int
    value: Node
    key: str | None = None


def parse(text: str) -> Node:
    """Parse a JSON text into nodes. Raises ValueError."""
    node = _value(text, _skip(text, 0), 0)
    if _skip(text, node.end) != len(text):
        raise ValueError(f"unexpected text after the end, at character {node.end}")
    return node


def value_of(text: str, node: Node) -> Any:
    """Return a node's value as a Python object."""
    if node.kind == "object":
        return {child.key: value_of(text, child.value) for child in node.children}
    if node.kind == "array":
        return [value_of(text, child.value) for child in node.children]
    return json.loads(text[node.start : node.end])


def inserted(text: str, holder: Node, value: Any, key: str | None = None) -> str:
    """Return the text with a member or item added to `holder`, formatted like its neighbours.

    The value is added at the end; `key` is needed for an object, but not for an array.
    """
    compact = "\n" not in text.strip() and len(text.strip()) > len("{}")
    unit = _unit(text)
    outer = _indent(text, holder.start)
    inner = (
        _indent(text, holder.children[-1].start)
        if holder.children and not compact
        else outer + unit
    )
    shown = json.dumps(value, ensure_ascii=False, indent=None if compact else unit)
    shown = (f"{json.dumps(key, ensure_ascii=False)}: " if key is not None else "") + shown
    if compact:
        at = holder.children[-1].value.end if holder.children else holder.start + 1
        return text[:at] + (", " if holder.children else "") + shown + text[at:]
    shown = shown.replace("\n", f"\n{inner}")
    if holder.children:
        at = holder.children[-1].value.end
        # an existing trailing comma then follows ours
        return f"{text[:at]},\n{inner}{shown}{text[at:]}"
    rest = text[holder.start + 1 : holder.end - 1].rstrip()  # possibly a comment
    return f"{text[: holder.start + 1]}{rest}\n{inner}{shown}\n{outer}{text[holder.end - 1 :]}"


def replaced(text: str, node: Node, value: Any) -> str:
    """Return the text with a node's value replaced."""
    compact = "\n" not in text[node.start : node.end]
    shown = json.dumps(value, ensure_ascii=False, indent=None if compact else _unit(text))
    return (
        text[: node.start]
        + shown.replace("\n", f"\n{_indent(text, node.start)}")
        + text[node.end :]
    )


def removed(text: str, holder: Node, number: int) -> str:
    """Return the text without the member or item of `holder` with this number."""
    child = holder.children[number]
    if number:
        return text[: holder.children[number - 1].value.end] + text[child.value.end :]
    if len(holder.children) > 1:
        return text[: child.start] + text[holder.children[1].start :]
    before = text[holder.start + 1 : child.start].rstrip()
    after = text[_past_comma(text, child.value.end) : holder.end - 1].rstrip()
    return text[: holder.start + 1] + before + after + text[holder.end - 1 :]


def without(text: str, holder: Node, key: str) -> str:
    """Return the text without the member of `holder` that has this key."""
    return removed(
        text, holder, next(n for n, child in enumerate(holder.children) if child.key == key)
    )


def _past_comma(text: str, at: int) -> int:
    comma = _skip(text, at)
    return comma + 1 if text[comma : comma + 1] == "," else at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if text[at : at + 1] in {"{", "["}:
        return _filled(text, Node(at, kind="object" if text[at] == "{" else "array"), depth)
    found = _STRING.match(text, at) or _OTHER.match(text, at)
    if not found:
        raise ValueError(f"no value at character {at}")
    json.loads(found[0])
    return Node(at, found.end())


def _filled(text: str, node: Node, depth: int) -> Node:
    closing = "}" if node.kind == "object" else "]"
    at = _skip(text, node.start + 1)
    while text[at : at + 1] != closing:
        start, key = at, None
        if node.kind == "object":
            named = _STRING.match(text, at)
            at = _skip(text, named.end()) if named else at
            if not named or text[at : at + 1] != ":":
                raise ValueError(f"no key at character {start}")
            key, at = json.loads(named[0]), _skip(text, at + 1)
        value = _value(text, at, depth + 1)
        node.children.append(Child(start, value, key))
        at = _skip(text, value.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise ValueError(f"neither a comma nor {closing} at character {at}")
    node.end = at + 1
    return node


def _unit(text: str) -> str:
    """Return the characters with which the text indents one level."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return ("\t" if found[1].startswith("\t") else found[1][:8]) if found else "  "


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]
