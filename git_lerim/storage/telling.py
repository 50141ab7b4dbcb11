"""The gate through which memories pass before they are handed out: what a colleague let through is blanked here."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from git_lerim.memories.memory import Memory


def without_secrets(redactor: Callable[[], Any]) -> Callable[[Memory], Memory]:
    """Return what blanks the secrets in a memory's words; the redactor is loaded when there is a memory to look at."""

    def gate(memory: Memory) -> Memory:
        words = "\n".join((memory.title, memory.body, *memory.tags))
        if not redactor().find(words):
            return memory
        title, body = (redactor().redact(text)[0] for text in (memory.title, memory.body))
        tags = tuple(tag for tag in memory.tags if not redactor().find(tag))
        return replace(memory, title=title, body=body, tags=tags)

    return gate
