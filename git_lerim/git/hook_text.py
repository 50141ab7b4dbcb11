"""Add git-lerim's script or line to the text of a hook file, or remove it again.

Lines that the user wrote are kept.
"""

import re
from collections.abc import Iterable

_SHELL = re.compile(rb"[/ ](?:a|ba|da|k|mk|z)?sh\b")
_OWN_NAME = re.compile(rb"\$\{?0\b|\$\{?BASH_SOURCE\b|\$PROGRAM_NAME\b|\bargv\[0\]")
MARK = b"# git-lerim hook v"
LINE = b"# git-lerim hook\n"
_FIRST = b"#!/bin/sh\n"
_KEEP = b"# the file existed before "  # added before LINE if the user's file was only _FIRST


def is_ours(text: bytes | None) -> bool:
    """Return whether a hook file contains git-lerim's script, in any version."""
    return b"\n" + MARK in (text or b"")  # anywhere: the user may have added lines above it


def with_script(script: bytes, text: bytes | None) -> bytes:
    """Return the script, or the file's text if that already contains the whole script."""
    return script if text is None or _added_to(script, text) is None else text


def without_script(script: bytes, text: bytes, earlier: Iterable[bytes] = ()) -> bytes | None:
    """Return a hook file's text without git-lerim's script, or None if nothing else is in it.

    `earlier` are former versions of the script. If the user added lines both above and below the
    script, a `:` replaces it, because an empty `if` is a syntax error.
    """
    if not is_ours(text):
        return text
    ours = next((each for each in (script, *earlier) if _added_to(each, text) is not None), script)
    if not _added_to(ours, text):
        return None
    first = ours.splitlines(keepends=True)[0]
    before, after = _around(ours, text)
    return first + before + (b":\n" if before and after else b"") + after


def _added_to(script: bytes, text: bytes) -> bytes | None:
    """Return the lines that a file adds to the script; None if it lacks a line of the script."""
    missing, added = script.splitlines(keepends=True), b""
    for line in text.splitlines(keepends=True):
        if missing and line == missing[0]:
            del missing[0]
        else:
            added += line
    return None if missing else added


def _around(script: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Return the lines that the user added above the script's end, and those below it."""
    first, _, body = script.partition(b"\n")
    above, found, below = text.partition(body)
    if found:
        return _added_to(first + b"\n", above) or b"", below
    lines = text.splitlines(keepends=True)  # some of the added lines are inside the script
    ends = (
        end for end in range(len(lines)) if _added_to(script, b"".join(lines[:end])) is not None
    )
    end = next(ends, len(lines))
    return _added_to(script, b"".join(lines[:end])) or b"", b"".join(lines[end:])


def knows_its_name(text: bytes | None) -> bool:
    """Return whether a hook uses its own file name, so that it must not be renamed.

    The hooks of husky 4 and overcommit do.
    """
    return _OWN_NAME.search(text or b"") is not None


def takes_line(text: bytes | None) -> bool:
    """Return whether a hook is a shell script, to which git-lerim's line can be added.

    Null bytes mean a compiled program, or a script that finds appended data by its offset.
    """
    if b"\0" in (text or b""):
        return False
    first = (text or b"").partition(b"\n")[0]
    return not first.startswith(b"#!") or _SHELL.search(first) is not None


def with_line(run: bytes, text: bytes | None) -> bytes:
    """Return a hook's text with git-lerim's line at the start, so that no `exit` skips it."""
    if text is None:
        return _FIRST + run
    if text == _FIRST or _is_kept(text):
        run = run.removesuffix(LINE) + _KEEP + LINE
    lines = [line for line in text.splitlines(keepends=True) if not line.endswith(LINE)]
    at = 1 if lines and lines[0].startswith(b"#!") else 0
    if at and not lines[0].endswith(b"\n"):
        lines[0] += b"\n"
    return b"".join([*lines[:at], run, *lines[at:]])


def without_line(text: bytes) -> bytes | None:
    """Return a hook's text without git-lerim's line.

    The result is None if git-lerim created the file and nothing else is in it.
    """
    kept = b"".join(line for line in text.splitlines(keepends=True) if not line.endswith(LINE))
    return None if kept == _FIRST and kept != text and not _is_kept(text) else kept


def _is_kept(text: bytes) -> bool:
    return _KEEP + LINE in text
