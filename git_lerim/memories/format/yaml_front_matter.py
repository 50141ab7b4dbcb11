"""Parse front matter that a person wrote, as a safe subset of YAML.

It is untrusted input, so risky features are rejected before YAML sees them.
"""

import re
from collections.abc import Iterator
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from git_lerim.errors import BadMemory
from git_lerim.memories.format.forms import Plain

DEPTH_LIMIT = 6
KEY_LIMIT = 64
_KEY_LENGTH = 128
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# Quotes open only where a value can begin; `it's` and `R&D` are plain text.
_QUOTED = re.compile(
    r"""(?:(?<=[\s\[{,])|^)(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""", re.MULTILINE | re.DOTALL
)
_SPECIAL = re.compile(
    r"(?:^[ ]*|[\[{][ ]*|(?:^|(?<=[\s\w]))[-?:][ ]+)([&*!])|(\t)|^(%)", re.MULTILINE
)
_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\n]*", re.MULTILINE)
_REFUSED = {
    "&": "an anchor `&`",
    "*": "an alias `*`",
    "!": "a tag `!`",
    "\t": "a tab",
    "%": "a directive `%`",
}


class _Handler(YAMLHandler):
    """A YAML handler that reads each scalar as text; null and numbers are converted later."""

    FM_BOUNDARY = re.compile(r"^---[ \t]*$", re.MULTILINE)

    def load(self, fm: str, **_kwargs: object) -> Any:
        """Parse front matter after `_gate` has accepted it."""
        return _read(fm)


def read_head(head: str) -> dict[str, Any]:
    """Parse front matter into texts, lists and mappings; an unquoted scalar becomes a Plain."""
    _gate(head)
    try:
        values, _body = frontmatter.parse(f"---\n{head}---\n", handler=_Handler())
    except yaml.YAMLError as error:
        raise BadMemory(_sentence(error)) from None
    return values


def _sentence(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "it contains a character that YAML does not allow"
    where = f"line {mark.line + 1}" if mark else "the front matter"
    return f"{where} is not YAML: {ascii(problem)[1:-1]}"


def _gate(head: str) -> None:
    """Reject risky syntax outside quotes before YAML sees it.

    The slow pattern is tried only if a sign of such syntax occurs, as in few files.
    """
    bare = head
    if '"' in bare or "'" in bare:
        bare = _QUOTED.sub(lambda found: '""' + "\n" * found[0].count("\n"), bare)
    if "#" in bare:
        bare = _COMMENT.sub("", bare)
    if any(sign in bare for sign in _REFUSED) and (found := _SPECIAL.search(bare)):
        line = bare.count("\n", 0, found.start(found.lastindex or 0)) + 2
        raise BadMemory(
            f"line {line} contains {_REFUSED[found[found.lastindex or 0]]}, which is not allowed"
            " in front matter; put the text in quotes"
        )
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", bare):
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        if depth > DEPTH_LIMIT:
            raise BadMemory(
                f"line {bare.count(chr(10), 0, bracket.start()) + 2} nests deeper than"
                f" {DEPTH_LIMIT} levels"
            )


def _read(head: str) -> dict[str, Any]:
    loader = _LOADER(head)
    try:
        events = iter(loader.get_event, None)
        for event in events:
            if isinstance(event, yaml.MappingStartEvent):
                values = _mapping(event, events, 1)
                _expect_end(events)
                return values
            if not isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
                break
    finally:
        loader.dispose()
    raise BadMemory("the front matter is not a mapping of keys to values")


def _expect_end(events: Iterator[Any]) -> None:
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            raise BadMemory("the front matter contains more than one document")
        if isinstance(event, yaml.StreamEndEvent):
            return


def _mapping(start: Any, events: Iterator[Any], depth: int) -> dict[str, Any]:
    _check(start, depth)
    values: dict[str, Any] = {}
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        line = event.start_mark.line + 1
        key = _value(event, events, depth)
        if not isinstance(key, str) or len(key) > _KEY_LENGTH or key == "<<":
            raise BadMemory(
                f"line {line} has a key that is no string of at most {_KEY_LENGTH} characters"
            )
        if key in values:
            raise BadMemory(f"line {line} repeats the key {str(key)!a}")
        values[str(key)] = _value(next(events), events, depth)
        if len(values) > KEY_LIMIT:
            raise BadMemory(f"the front matter has more than {KEY_LIMIT} keys")
    return values


def _value(event: Any, events: Iterator[Any], depth: int) -> Any:
    _check(event, depth)
    if isinstance(event, yaml.ScalarEvent):
        return str(event.value) if event.style else Plain(event.value)
    if isinstance(event, yaml.MappingStartEvent):
        return _mapping(event, events, depth + 1)
    items = []
    for item in events:
        if isinstance(item, yaml.SequenceEndEvent):
            break
        items.append(_value(item, events, depth + 1))
    return items


def _check(event: Any, depth: int) -> None:
    """Reject a YAML event for the same syntax that `_gate` rejects in the text."""
    line = event.start_mark.line + 1
    if depth > DEPTH_LIMIT:
        raise BadMemory(f"line {line} nests deeper than {DEPTH_LIMIT} levels")
    if (
        isinstance(event, yaml.AliasEvent)
        or getattr(event, "anchor", None)
        or getattr(event, "tag", None)
    ):
        raise BadMemory(
            f"line {line} contains an anchor, an alias or a tag, which is not allowed in front"
            " matter; put the text in quotes"
        )
