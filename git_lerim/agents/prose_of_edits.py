"""Find the prose, such as comments, that an agent's edits add to files."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from git_lerim.sessions import prose

LIMIT = 3_000  # characters kept of one edit
_OLD = ("old_string", "oldString", "old_str", "oldText", "oldContent")
_NEW = (
    *("new_string", "newString", "new_str", "newText", "code_edit", "content", "contents"),
    *("file_text", "new_source", "streamingContent", "insert_text"),
)
_BLOCK = re.compile(r"(?:<{3,} ?|-{3,} ?|>{3,} ?|\+{3,} ?)?(SEARCH\b|={5,}|REPLACE\b)")
_PATCH = ("", "patch", "patchText", "input", "diff")


def written_prose(path: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the passages of prose that the arguments of a writing tool add to a file.

    The tool can be an edit, a write or a patch.
    """
    edits = given.get("edits")
    changes = [given, *(edits if isinstance(edits, list) else ())]
    found = [
        passage
        for change in changes
        if isinstance(change, dict)
        for passage in prose.added(path, _text(change, _OLD), _text(change, _NEW))
    ]
    return _once([*found, *in_patch(_text(given, _PATCH), path)])


def in_patch(patch: str, path: str = "") -> tuple[str, ...]:
    """Return the passages of prose that a patch adds to the files that it names.

    Changes before the first file name are taken to be in `path`.
    """
    found: list[str] = []
    for name, old, new in _hunks(patch, path):
        found += prose.added(name, old, new)
    return _once(found)


def _once(passages: list[str]) -> tuple[str, ...]:
    return tuple(prose.shortened(list(dict.fromkeys(passages)), LIMIT))


def _text(given: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((text for key in keys if isinstance(text := given.get(key), str)), "")


def _hunks(patch: str, path: str) -> Iterator[tuple[str, str, str]]:
    """Yield the path, the old text and the new text of each change in a patch.

    A change is a hunk of a diff, or a search-and-replace block.
    """
    lines = [*patch.splitlines(), "@@"]
    is_header = _is_envelope if "*** Begin Patch" in patch else _is_of_diff
    old: list[str] = []
    new: list[str] = []
    side = ""  # of a search-and-replace block: "-" to search, "+" to replace
    for number, line in enumerate(lines):
        header = is_header(lines, number)
        if block := _BLOCK.match(line):
            side = {"S": "-", "=": "+"}.get(block[1][0], "")
        elif side:
            (old if side == "-" else new).append(line)
        elif not header:
            if line[:1] != "+":
                old.append(line[1:])
            if line[:1] != "-":
                new.append(line[1:])
        if header or (block and not side):
            yield path, "\n".join(old), "\n".join(new)
            old, new, side = [], [], ""
            path = _path(line) or path


def _is_envelope(lines: Sequence[str], number: int) -> bool:
    return lines[number].startswith(("*** ", "@@"))


def _is_of_diff(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is a header of a diff.

    A removed SQL comment begins with `--- `, too, so the neighbouring lines are compared.
    """
    if lines[number].startswith("+++ "):
        return number > 0 and lines[number - 1].startswith("--- ")
    return lines[number].startswith("@@") or (
        lines[number].startswith("--- ") and lines[number + 1].startswith("+++ ")
    )


def _path(header: str) -> str:
    """Return the path in a header of a patch, or an empty string."""
    name = header[4:].removeprefix("b/") if header.startswith("+++ ") else ""
    return (header.partition(" File: ")[2] or name).strip()
