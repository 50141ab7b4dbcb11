"""From the texts, lists and mappings of a front matter to a Memory: every field is typed here, by its name."""

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from enum import StrEnum
from math import inf
from typing import Any, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories.clean import clean
from git_lerim.memories.memory import Anchor, Kind, Memory, Primitive, Source, Status
from git_lerim.memories.naming import is_id

KNOWN = tuple(f.name for f in fields(Memory) if f.name not in {"body", "unknown"})

_COMMIT = re.compile(r"[0-9a-f]{4,64}")
_Member = TypeVar("_Member", bound=StrEnum)


class Plain(str):
    """A scalar that stood without quotes: it can mean null, true, or a number."""

    __slots__ = ()


def build(values: Mapping[str, Any], body: str) -> Memory:
    """Return the memory that a file's front matter and body stand for, in normal form."""
    try:
        created = _moment("created", values.get("created"))
        return clean(
            Memory(
                id=_id(values.get("id")),
                primitive=_member(Primitive, "primitive", values.get("primitive")),
                kind=None if _absent(values.get("kind")) else _member(Kind, "kind", values["kind"]),
                title=_text("title", values.get("title")),
                body=body,
                status=_member(Status, "status", values.get("status", "active")),
                created=created,
                updated=created if _absent(values.get("updated")) else _moment("updated", values["updated"]),
                last_accessed=_day(values.get("last_accessed")),
                confidence=_share(values.get("confidence", "0.5")),
                protected=_flag(values.get("protected", "false")),
                suspect=_maybe("suspect", values.get("suspect")),
                tags=_texts("tags", values.get("tags")),
                sources=tuple(_source(row) for row in _rows("sources", values.get("sources"))),
                anchors=tuple(_anchor(row) for row in _rows("anchors", values.get("anchors"))),
                supersedes=_texts("supersedes", values.get("supersedes")),
                merged_from=_texts("merged_from", values.get("merged_from")),
                related=_texts("related", values.get("related")),
                unknown={key: _typed(value) for key, value in values.items() if key not in KNOWN},
            )
        )
    except OverflowError:
        raise BadMemory("a time lies outside the years 1 to 9999") from None


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, Plain) and value in {"", "null", "~"})


def _text(name: str, value: Any) -> str:
    if _absent(value):
        raise BadMemory(f"`{name}` is missing")
    if not isinstance(value, str):
        raise BadMemory(f"`{name}` must be text, not a list or a mapping")
    return str(value)


def _maybe(name: str, value: Any) -> str | None:
    return None if _absent(value) else _text(name, value)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_text(name, item) for item in _items(name, value))


def _items(name: str, value: Any) -> list[Any]:
    if _absent(value):
        return []
    if not isinstance(value, list):
        raise BadMemory(f"`{name}` must be a list")
    return value


def _rows(name: str, value: Any) -> list[dict[str, Any]]:
    items = _items(name, value)
    if not all(isinstance(item, dict) for item in items):
        raise BadMemory(f"each of `{name}` must be a mapping such as {{{'agent' if name == 'sources' else 'path'}: …}}")
    return items


def _id(value: Any) -> str:
    if not is_id(found := _text("id", value)):
        raise BadMemory("`id` must be 13 characters of a-z and 2-7")
    return found


def _member(kind: type[_Member], name: str, value: Any) -> _Member:
    found = _text(name, value)
    if found not in list(kind):
        raise BadMemory(f"`{name}` is none of {', '.join(kind)}")
    return kind(found)


def _moment(name: str, value: Any) -> datetime:
    try:
        return datetime.fromisoformat(_text(name, value))
    except ValueError:
        raise BadMemory(f"`{name}` must be a time such as 2026-02-20T09:30:45Z") from None


def _day(value: Any) -> str | None:
    if (found := _maybe("last_accessed", value)) is None:
        return None
    try:
        return date.fromisoformat(found).isoformat()
    except ValueError:
        raise BadMemory("`last_accessed` must be a day such as 2026-02-20") from None


def _share(value: Any) -> float:
    try:
        found = float(_text("confidence", value))
    except ValueError:
        found = -1.0
    if not 0.0 <= found <= 1.0:
        raise BadMemory("`confidence` must be a number from 0 to 1")
    return found


def _flag(value: Any) -> bool:
    found = _text("protected", value)
    if found not in {"true", "false"}:
        raise BadMemory("`protected` must be true or false")
    return found == "true"


def _pair(name: str, value: Any) -> tuple[int, int]:
    numbers = [_number(name, item) for item in _items(name, value)]
    if len(numbers) != 2:
        raise BadMemory(f"`{name}` must be two numbers, the first and the last")
    return numbers[0], numbers[1]


def _number(name: str, value: Any) -> int:
    found = _text(name, value)
    if not (found.isascii() and found.isdecimal() and len(found) <= 9):
        raise BadMemory(f"`{name}` must be whole numbers")
    return int(found)


def _commit(name: str, value: Any) -> str | None:
    found = _maybe(name, value)
    if found is not None and not _COMMIT.fullmatch(found):
        raise BadMemory(f"`{name}` must be an object id of git")
    return found


def _source(row: Mapping[str, Any]) -> Source:
    return Source(
        agent=_text("agent", row.get("agent")),
        session=_text("session", row.get("session")),
        part=_maybe("part", row.get("part")),
        records=tuple(_pair("records", item) for item in _items("records", row.get("records"))),
        at=None if _absent(row.get("at")) else _moment("at", row["at"]),
        commit=_commit("commit", row.get("commit")),
    )


def _anchor(row: Mapping[str, Any]) -> Anchor:
    return Anchor(
        path=_text("path", row.get("path")),
        lines=None if _absent(row.get("lines")) else _pair("lines", row["lines"]),
        symbol=_maybe("symbol", row.get("symbol")),
        blob=_commit("blob", row.get("blob")),
        commit=_commit("commit", row.get("commit")),
    )


_TYPED: dict[str, Any] = {"null": None, "~": None, "": None, "true": True, "false": False}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?P<fraction>(?:\.[0-9]{1,17})?(?:e[+-][0-9]{2,3})?)")


def _typed(value: Any) -> Any:
    """Give a value of a key we do not know the type that JSON would give it; `no`, `1e3` and `12:30:45` stay text."""
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
