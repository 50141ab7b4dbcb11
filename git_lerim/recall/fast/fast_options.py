"""Shared by the fast paths: a minimal option parser, and checks of the output streams.

Imports little.
"""

import os
import sys

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
    """Return the options by name, the last of each; None if click has to judge them.

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
            if given is None:
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


def shows_colours() -> bool:
    """Tell whether stdout is a terminal that shows colours."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
