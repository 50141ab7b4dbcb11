"""Find the label of each statement in a message: the heading or bold words before it."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.transcript.text import Block


def labelled(message: Sequence[Block], names: re.Pattern[str]) -> Iterator[tuple[Block, str, str]]:
    """Yield each paragraph and top-level item with its label and its text without the label.

    A block's label is its bold beginning if that is one of `names`, or else the heading above it.
    A plain line with a colon at its end that is one of `names` is the heading of the list below it.
    """
    heading = plain = ""
    for block in message:
        lead = block.lead.strip(" :.")
        if block.kind != "item":
            plain = ""
        if block.kind == "heading" or (lead and block.text.strip(" :.") == lead):
            heading = block.text
        elif block.kind == "paragraph" and block.text.endswith(":") and names.match(block.text):
            plain = block.text
        elif block.kind in {"paragraph", "item"} and lead and names.match(lead):
            yield block, lead, block.text[len(block.lead) :].lstrip(" :.—–-")
        elif block.kind in {"paragraph", "item"} and block.depth == 0:
            yield block, plain or heading, block.text
