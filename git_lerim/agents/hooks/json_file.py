"""Edit the text of a JSON file, keeping its byte order mark and line endings."""

from collections.abc import Callable

from git_lerim.agents.hooks.json_text import Node
from git_lerim.errors import LerimError

Change = Callable[[str], str]
_EMPTY = b"\xef\xbb\xbf \t\r\n"


def edited(name: str, change: Change) -> Callable[[bytes], bytes | None]:
    """Return a function that applies a text edit to the bytes of a JSON file.

    The function returns None if only `{}` is left, and raises LerimError if the bytes are not valid
    JSON. `name` is the file's name, for the error.
    """

    def apply(data: bytes) -> bytes | None:
        bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        try:
            text = data[len(bom) :].decode("utf-8")
            newline = "\r\n" if "\r\n" in text and "\n" not in text.replace("\r\n", "") else "\n"
            plain = text.replace("\r\n", "\n") if newline == "\r\n" else text
            new = change(plain)
        except (ValueError, RecursionError) as error:
            raise LerimError(
                f"git-lerim cannot read {name} as JSON: {error}",
                hint="correct it, then try again",
            ) from error
        if new == plain:
            return data
        return None if new.strip() in {"", "{}"} else bom + new.replace("\n", newline).encode()

    return apply


def filled(name: str, change: Change) -> Callable[[bytes | None], bytes]:
    """Return a function that applies a text edit to the bytes of a JSON file, or to `{}`.

    `{}` is edited if the file is missing or empty. The function raises LerimError if the bytes are
    not valid JSON.
    """

    def apply(data: bytes | None) -> bytes:
        new = edited(name, change)(data if data and data.strip(_EMPTY) else b"{}\n")
        assert new is not None  # noqa: S101 it is not empty after an addition
        return new

    return apply


def as_object(text: str, node: Node) -> Node:
    """Return the node if it is a JSON object. Raises ValueError if not."""
    if node.kind != "object":
        raise ValueError(f"{text[node.start : node.start + 20]!r} is not a JSON object")
    return node
