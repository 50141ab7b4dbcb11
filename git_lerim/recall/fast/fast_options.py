"""Parse options and print output for the fast paths, which do not import click.

This module imports little, so that the fast paths start quickly.
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
    """Map each option among a command's words to its value; None if click must parse the words.

    `flags` are the options without a value, `valued` those with one. If an option is repeated, its
    last value counts. Words that are not options are appended to `others`; if there is no such
    list, such a word makes the result None.
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
    """Return whether all streams exist and are UTF-8, which can show every character."""
    return all(stream is not None and stream.encoding.lower() == "utf-8" for stream in streams)


def is_coloured(asked: dict[str, str]) -> bool:
    """Return whether to colour stdout, given the parsed options (`--color`)."""
    return colour.is_coloured(sys.stdout, asked.get("--color"))


def show(text: str, asked: dict[str, str]) -> None:
    """Print a command's output: on a terminal it is wrapped and, if it is long, paged.

    `asked` are the parsed options: `--json` prevents wrapping, and `--no-pager` the pager.
    """
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
