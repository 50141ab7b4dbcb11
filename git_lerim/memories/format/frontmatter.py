"""Convert between Memory and markdown with front matter.

Files that git-lerim wrote are parsed without YAML, which takes long to load.
"""

import json
import re
from operator import attrgetter
from typing import Any

from git_lerim.errors import BadMemory
from git_lerim.memories import handoff
from git_lerim.memories.format.body import body_itself
from git_lerim.memories.format.fast_parser import read_canonical
from git_lerim.memories.format.forms import quote
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import BODY_LIMIT, FILE_LIMIT, HEAD, TITLE_LIMIT, Memory, Primitive

HEAD_LIMIT = 16 * 1024  # bytes
KEY_LIMIT = 64

_FENCE = re.compile(r"^---[ \t]*\n", re.MULTILINE)
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_WRITE = [
    (f"{each.name}:{'' if each.form.block else ' '}", each.form.write, each.sparse) for each in HEAD
]
_VALUES = attrgetter(*(each.name for each in HEAD))


# --- writing


def render(memory: Memory) -> bytes:
    """Return the content of a memory's file; equal memories have equal files.

    Raises BadMemory if `parse` would refuse the file.
    """
    return render_clean(clean(memory))


def render_clean(m: Memory) -> bytes:
    """Return the content of the file of a memory in normal form. Raises BadMemory."""
    written = zip(_WRITE, _VALUES(m), strict=True)
    lines = [
        f"{start}{write(value)}" for (start, write, sparse), value in written if value or not sparse
    ]
    lines += [f"{_write_key(key)}: {_write_any(value)}" for key, value in m.unknown.items()]
    head = "\n".join(lines) + "\n"
    _check_limits(m, head)
    data = f"---\n{head}---\n{m.body}\n".encode()
    if len(data) > FILE_LIMIT:
        raise BadMemory(f"memory {m.id} takes {len(data)} bytes, more than {FILE_LIMIT}")
    return data


def _write_key(key: str) -> str:
    return key if _KEY.fullmatch(key) else quote(key)


def _write_any(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{_write_key(key)}: {_write_any(inner)}" for key, inner in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_write_any, value)) + "]"
    return quote(value) if isinstance(value, str) else json.dumps(value)


# --- limits, for writing and reading


def _check_limits(memory: Memory, head: str) -> None:
    if len(memory.title) > TITLE_LIMIT:
        raise BadMemory(
            f"the title of {memory.id} has {len(memory.title)} characters, more than {TITLE_LIMIT}"
        )
    if not memory.title:
        raise BadMemory(f"memory {memory.id} has no title")
    counted = len(body_itself(memory.body))
    if counted > BODY_LIMIT:
        raise BadMemory(f"the body of {memory.id} has {counted} characters, more than {BODY_LIMIT}")
    if _too_long(head) or len(memory.unknown) + len(HEAD) > KEY_LIMIT:
        raise BadMemory(
            f"the front matter of {memory.id} is too big: more than {HEAD_LIMIT} bytes or"
            f" {KEY_LIMIT} keys"
        )
    if memory.primitive is Primitive.HANDOFF:
        handoff.check(memory.unknown)


def _too_long(head: str) -> bool:
    return len(head) > HEAD_LIMIT // 4 and len(head.encode()) > HEAD_LIMIT


# --- reading


def parse(data: bytes) -> Memory:
    """Parse the content of a memory's file; return the memory in normal form.

    Raises BadMemory, which says what is wrong and, if known, on which line.
    """
    if len(data) > FILE_LIMIT:
        raise BadMemory(f"the file has {len(data)} bytes, more than {FILE_LIMIT}")
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadMemory(f"line {line} is not UTF-8") from None
    head, body = _split(text)
    memory = read_canonical(head, body)
    if memory is None:
        # YAML takes 60 ms to load; files that we wrote do not need it.
        from git_lerim.memories.format.fields import build  # noqa: PLC0415
        from git_lerim.memories.format.yaml_front_matter import read_head  # noqa: PLC0415

        memory = build(read_head(head), body)
    _check_limits(memory, head)
    return memory


def _refuse_conflict(text: str) -> None:
    lines = text.split("\n")
    at = 0
    first = None
    for mark in ("<<<<<<< ", "=======", ">>>>>>> "):
        found = next((n for n in range(at, len(lines)) if f"{lines[n]} ".startswith(mark)), None)
        if found is None:
            return
        first, at = found if first is None else first, found + 1
    raise BadMemory(f"line {(first or 0) + 1} begins an unresolved merge conflict")


def _split(text: str) -> tuple[str, str]:
    if "\0" in text:
        raise BadMemory("the file contains a NUL character")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "<<<<<<<" in text:
        _refuse_conflict(text)
    start, end, rest = _ours(text) or _fences(text)
    head = text[start:end]
    if _too_long(head):
        raise BadMemory(f"the front matter has more than {HEAD_LIMIT} bytes")
    return head, text[rest:]


def _ours(text: str) -> tuple[int, int, int] | None:
    """Return where the front matter begins and ends and the body begins, or None.

    None means that the `---` lines around the front matter are not as `render` writes them.
    """
    end = text.find("\n---", 3) + 1
    return (
        (4, end, end + 4)
        if end and text.startswith("---\n") and text.startswith("---\n", end)
        else None
    )


def _fences(text: str) -> tuple[int, int, int]:
    if not (opened := _FENCE.match(text)):
        raise BadMemory("the file does not begin with `---`: it has no front matter")
    if not (closed := _FENCE.search(text + "\n", opened.end())):
        raise BadMemory("the front matter has no closing line `---`")
    return opened.end(), closed.start(), closed.end()
