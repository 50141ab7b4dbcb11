"""Find the prose in shell commands: commit messages, and files written from here-documents."""

import re
from collections.abc import Iterator

from git_lerim.sessions import prose

_READ = 50_000  # characters of one command that are looked at
_COMMIT = re.compile(r"\bgit\b[^\n;&|]{0,200}?\scommit\b")
_MESSAGE = re.compile(
    r"\s(?:-\w{0,3}m|--message)(?:[ \t]+|=)@?(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", re.DOTALL
)
_FROM_INPUT = re.compile(r"\s(?:-F|--file)[ =]?-|\$\([ \t]*cat\b")
_TRAILER = re.compile(r"[A-Z][\w-]*-[\w-]+: |🤖|.{0,3}Generated (?:with|by) ")
_ARITHMETIC = re.compile(r"\(\([^)]{0,200}\)\)")  # here `<<` shifts and opens no document
_OPENING = re.compile(r"(?<!<)<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([^\W\d][\w.-]*))")
_AFTER_MARK = ")\"'`; \t"  # may close the command that a document is part of
_TARGET = re.compile(
    r"(?:>{1,2}|\btee\b(?:[ \t]+-a)?)[ \t]*(?:\"([^\"\n$`]+)\"|'([^'\n]+)'|([^\s\"'<>|;&$]+))"
)


def committed(command: str) -> list[str]:
    """Return the passages of the commit messages in a shell command, without trailers."""
    outside, documents = _parts(command)
    messages = [
        text for line, text in documents if _COMMIT.search(line) and _FROM_INPUT.search(line)
    ]
    if first := _COMMIT.search(outside):
        for found in _MESSAGE.finditer(outside, first.end()):
            given = found[2] or (found[1] or "").replace('\\"', '"').replace("\\`", "`")
            if not given.startswith("$("):
                messages.append(given)
    return [passage for message in messages for passage in _passages(message)]


def piped(command: str) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each file that a command writes from a here-document."""
    for line, text in _parts(command)[1]:
        if (target := _TARGET.search(line)) and re.search(r"\b(?:cat|tee)\b", line):
            yield target[1] or target[2] or target[3], text


def _passages(message: str) -> Iterator[str]:
    lines = [line for line in message.splitlines() if not _TRAILER.match(line.strip())]
    for paragraph in prose.page("\n".join(lines)):
        if passage := prose.joined(text for _, text in paragraph):
            yield passage


def _parts(command: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the text outside here-documents, and each here-document with the line opening it."""
    outside: list[str] = []
    documents: list[tuple[str, str]] = []
    mark, inside = "", list[str]()
    for line in command[:_READ].splitlines():
        if not mark:
            outside.append(line)
            opening = _OPENING.search(_ARITHMETIC.sub("", line))
            mark, inside = (opening[1] or opening[2] or opening[3] if opening else ""), []
        elif line.strip().rstrip(_AFTER_MARK) == mark:
            documents.append((outside[-1], "\n".join(inside)))
            mark = ""
        else:
            inside.append(line)
    return "\n".join(outside), documents
