"""Markdown with front matter ⇄ Memory. What we wrote ourselves is read without YAML, which takes long to load."""

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar

from git_lerim.errors import BadMemory
from git_lerim.memories.clean import clean
from git_lerim.memories.memory import BODY_LIMIT, FILE_LIMIT, TITLE_LIMIT, Anchor, Kind, Memory, Primitive, Source, Status
from git_lerim.memories.naming import is_id

HEAD_LIMIT = 16 * 1024  # bytes
KEY_LIMIT = 64
ALSO_RECORDED = "## Also recorded"

_FENCE = re.compile(r"^---[ \t]*\n", re.MULTILINE)
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_COMMIT = re.compile(r"[0-9a-f]{4,64}")
# What JSON leaves as it is and YAML does not take: these are escaped.
_NOT_YAML = re.compile("[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udfff]")
_KNOWN = tuple(f.name for f in fields(Memory) if f.name not in {"body", "unknown"})
_Member = TypeVar("_Member", bound=StrEnum)


class Plain(str):
    """A scalar that stood without quotes: it can mean null, true, or a number."""

    __slots__ = ()


# --- writing


def render(memory: Memory) -> bytes:
    """Write a memory as a file, the same memory always as the same bytes; raise BadMemory if no reader would take the file."""
    m = clean(memory)
    rows = (
        ("id", _quote(m.id)),
        ("primitive", _quote(m.primitive.value)),
        ("kind", _quote(m.kind)),
        ("title", _quote(m.title)),
        ("status", _quote(m.status.value)),
        ("created", _quote(_stamp(m.created))),
        ("updated", _quote(_stamp(m.updated))),
        ("last_accessed", _quote(m.last_accessed)),
        ("confidence", f"{m.confidence:.2f}"),
        ("protected", "true" if m.protected else "false"),
        ("suspect", _quote(m.suspect)),
        ("tags", _list(m.tags)),
        ("sources", _block([_write_source(source) for source in m.sources])),
        ("anchors", _block([_write_anchor(anchor) for anchor in m.anchors])),
        ("supersedes", _list(m.supersedes)),
        ("merged_from", _list(m.merged_from)),
        ("related", _list(m.related)),
    )
    lines = [f"{key}:{'' if value[:1] == chr(10) else ' '}{value}" for key, value in rows]
    lines += [f"{_write_key(key)}: {_write_any(value)}" for key, value in m.unknown.items()]
    head = "\n".join(lines) + "\n"
    _check_limits(m, head)
    data = f"---\n{head}---\n{m.body}\n".encode()
    if len(data) > FILE_LIMIT:
        raise BadMemory(f"memory {m.id} takes {len(data)} bytes, more than {FILE_LIMIT}")
    return data


def _quote(value: str | None) -> str:
    if value is None:
        return "null"
    quoted = json.dumps(value, ensure_ascii=False)
    return quoted if quoted.isascii() else _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _stamp(moment: datetime) -> str:
    return moment.isoformat()[:19] + "Z"


def _list(values: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_quote, values))}]"


def _block(lines: list[str]) -> str:
    return "".join(f"\n  - {{{line}}}" for line in lines) or "[]"


def _write_source(source: Source) -> str:
    records = ", ".join(f"[{first}, {last}]" for first, last in source.records)
    return (
        f"agent: {_quote(source.agent)}, session: {_quote(source.session)}, part: {_quote(source.part)}, records: [{records}], "
        f"at: {_quote(_stamp(source.at) if source.at else None)}, commit: {_quote(source.commit)}"
    )


def _write_anchor(anchor: Anchor) -> str:
    lines = f"[{anchor.lines[0]}, {anchor.lines[1]}]" if anchor.lines else "null"
    return (
        f"path: {_quote(anchor.path)}, lines: {lines}, symbol: {_quote(anchor.symbol)}, "
        f"blob: {_quote(anchor.blob)}, commit: {_quote(anchor.commit)}"
    )


def _write_key(key: str) -> str:
    return key if _KEY.fullmatch(key) else _quote(key)


def _write_any(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_write_key(key)}: {_write_any(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_write_any, value)) + "]"
    return _quote(value) if isinstance(value, str) else json.dumps(value)


# --- limits, for both ways


def _check_limits(memory: Memory, head: str) -> None:
    if len(memory.title) > TITLE_LIMIT:
        raise BadMemory(f"the title of {memory.id} has {len(memory.title)} characters, more than {TITLE_LIMIT}")
    if not memory.title:
        raise BadMemory(f"memory {memory.id} has no title")
    counted = len(body_itself(memory.body))
    if counted > BODY_LIMIT:
        raise BadMemory(f"the body of {memory.id} has {counted} characters, more than {BODY_LIMIT}")
    if len(head.encode()) > HEAD_LIMIT or len(memory.unknown) + len(_KNOWN) > KEY_LIMIT:
        raise BadMemory(f"the front matter of {memory.id} is too big: more than {HEAD_LIMIT} bytes or {KEY_LIMIT} keys")


def body_itself(body: str) -> str:
    """Return a body without its section `## Also recorded`."""
    if ALSO_RECORDED not in body:
        return body
    return re.split(rf"^{ALSO_RECORDED}[ \t]*$", body, maxsplit=1, flags=re.MULTILINE)[0].rstrip()


# --- reading


def parse(data: bytes) -> Memory:
    """Read a memory's file, in normal form; raise BadMemory saying what is wrong, and on which line where that is known."""
    if len(data) > FILE_LIMIT:
        raise BadMemory(f"the file has {len(data)} bytes, more than {FILE_LIMIT}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadMemory(f"line {line} is not UTF-8") from None
    head, body = _split(text)
    values = _read_canonical(head)
    if values is None:
        from git_lerim.memories.yamlhead import read_head  # noqa: PLC0415  # YAML takes 60 ms to load; our own files do without

        values = read_head(head)
    memory = _build(values, body)
    _check_limits(memory, head)
    return memory


def _split(text: str) -> tuple[str, str]:
    if "\0" in text:
        raise BadMemory("the file holds a NUL character")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\n<<<<<<<" in text and re.search(r"^<{7}(?!<).*^={7}$.*^>{7}(?!>)", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, text.index("\n<<<<<<<") + 1) + 1
        raise BadMemory(f"line {line} begins an unresolved merge conflict")
    if not (opened := _FENCE.match(text)):
        raise BadMemory("the file does not begin with `---`: it has no front matter")
    if not (closed := _FENCE.search(text + "\n", opened.end())):
        raise BadMemory("the front matter is not closed by a line `---`")
    head = text[opened.end() : closed.start()]
    if len(head.encode()) > HEAD_LIMIT:
        raise BadMemory(f"the front matter has more than {HEAD_LIMIT} bytes")
    return head, text[closed.end() :]


_S = r'"(?:[^"\\\n]|\\["\\])*"'
_SN = rf"(?:null|{_S})"
_L = rf"\[(?:{_S}(?:, {_S})*)?\]"
_N = r"(?:0|[1-9][0-9]{0,8})"
_PAIR = rf"\[{_N}, {_N}\]"
_CANONICAL = re.compile(
    rf"id: ({_S})\nprimitive: ({_S})\nkind: ({_SN})\ntitle: ({_S})\nstatus: ({_S})\ncreated: ({_S})\nupdated: ({_S})\n"
    rf"last_accessed: ({_SN})\nconfidence: ([01]\.[0-9]{{2}})\nprotected: (true|false)\nsuspect: ({_SN})\ntags: ({_L})\n"
    r"sources:((?: \[\]|(?:\n  - \{[^\n]*\})+))\nanchors:((?: \[\]|(?:\n  - \{[^\n]*\})+))\n"
    rf"supersedes: ({_L})\nmerged_from: ({_L})\nrelated: ({_L})\n"
)
_SOURCE = re.compile(
    rf"\{{agent: ({_S}), session: ({_S}), part: ({_SN}), records: (\[(?:{_PAIR}(?:, {_PAIR})*)?\]), "
    rf"at: ({_SN}), commit: ({_SN})\}}"
)
_ANCHOR = re.compile(rf"\{{path: ({_S}), lines: (null|{_PAIR}), symbol: ({_SN}), blob: ({_SN}), commit: ({_SN})\}}")


def _read_canonical(head: str) -> dict[str, Any] | None:
    """Read what render wrote, in the form that YAML would give; None for anything else."""
    if not (found := _CANONICAL.fullmatch(head)):
        return None
    values: dict[str, Any] = dict(zip(_KNOWN, found.groups(), strict=True))
    for key, pattern, names in (("sources", _SOURCE, Source.__slots__), ("anchors", _ANCHOR, Anchor.__slots__)):
        rows = values[key].split("\n  - ")[1:]
        matches = [pattern.fullmatch(row) for row in rows]
        if not all(matches):
            return None
        values[key] = [{n: _read_value(v) for n, v in zip(names, m.groups(), strict=True)} for m in matches if m]
    return {key: _read_value(value) if isinstance(value, str) else value for key, value in values.items()}


def _read_value(shown: str) -> Any:
    """Read a value that the patterns above let through."""
    first = shown[0]
    if first == '"':
        return shown[1:-1] if "\\" not in shown else json.loads(shown)
    if first == "[":
        return [] if shown == "[]" else json.loads(shown, parse_int=Plain)
    return Plain(shown)


# --- from values to a memory


def _build(values: Mapping[str, Any], body: str) -> Memory:
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
                unknown={key: _typed(value) for key, value in values.items() if key not in _KNOWN},
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
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?P<fraction>(?:\.[0-9]{1,17})?(?:e[+-][0-9]{2})?)")


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
    return str(value) if not number else float(value) if number["fraction"] else int(value)
