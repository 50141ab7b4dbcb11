"""The gate through which memories pass before they are handed out: what a colleague let through is blanked here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from git_lerim.memories.gate import gated, texts
from git_lerim.storage.base import Stored

TOGETHER = 100  # memories that are looked through at once: nearly always there is nothing to be found


def without_secrets(redactor: Callable[[], Any]) -> Callable[[Iterable[Stored]], Iterator[Stored]]:
    """Return what blanks the secrets in the words of memories; the redactor is loaded when there is a memory to look at."""

    def gate(items: Iterable[Stored]) -> Iterator[Stored]:
        rest = iter(items)
        while some := list(islice(rest, TOGETHER)):
            if not redactor().find("\n\n".join(text for item in some for text in texts(item.memory))):
                yield from some
                continue
            for item in some:
                found = redactor().find("\n\n".join(texts(item.memory)))
                yield replace(item, memory=gated(item.memory, redactor())[0]) if found else item

    return gate
