"""What the fast paths share: a minimal option parser, and output to the terminal.

This module imports little.
"""

import sys

from git_lerim.screen import colour, terminal_size

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import TextIO


def options(
    words: "Iterable[str]",
    flags: "Collection[str]",
    valued: "Collection[str]",
    others: list[str] | None = None,
) -> dict[str, str] | None:
    """Return each option's last value by name; None if only click can parse the words.

    Words that are not options are appended to `others`.
    """
    asked: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in flags:
            asked[word] = ""
        elif word in valued or (equals and name in valued and name.startswith("--")):
            given = value if equals else next(rest, None)
            if given is None or (name == "--color" and given not in colour.WHEN):
                return None
            asked[name] = given
        elif others is not None and not word.startswith("-"):
            others.append(word)
        else:
            return None
    return asked


def shows_all(*streams: "TextIO | None") -> bool:
    """Tell whether streams exist and are UTF-8; otherwise characters may have to be escaped."""
    return all(stream is not None and stream.encoding.lower() == "utf-8" for stream in streams)


def is_coloured(asked: dict[str, str]) -> bool:
    """Tell whether stdout is coloured."""
    return colour.is_coloured(sys.stdout, asked.get("--color"))


def show(text: str, asked: dict[str, str]) -> None:
    """Print a text as the command would: on a terminal, wrapped and, if long, in the pager."""
    if not terminal_size.is_terminal(sys.stdout):
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from git_lerim.screen import pager, wrapping  # noqa: PLC0415 not loaded for other programs

    if "--json" not in asked:
        text = wrapping.wrap(text, terminal_size.columns(sys.stdout))
    if "--no-pager" in asked:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        pager.show(text, sys.stdout)
