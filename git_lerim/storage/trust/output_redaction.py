"""Redact secrets from memories and messages on output, in case a colleague missed one."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NoReturn

from git_lerim.errors import Declined
from git_lerim.memories.checks.gate import gated, texts
from git_lerim.storage.base import Change, RedactMessage, Stored
from git_lerim.storage.trust.checked import Checked

TOGETHER = 100  # memories searched at once: there is almost never anything to find


def without_secrets(
    redactor: Callable[[], Any], checked: Checked
) -> Callable[[Iterable[Stored]], Iterator[Stored]]:
    """Return a filter that redacts secrets in memories, loading the redactor only if needed."""

    def gate(items: Iterable[Stored]) -> Iterator[Stored]:
        rest = iter(items)
        try:
            while some := list(islice(rest, TOGETHER)):
                yield from _clean(some, redactor, checked)
        finally:
            checked.save()

    return gate


def message_redactor(redactor: Callable[[], Any]) -> RedactMessage:
    """Return a function that redacts secrets in the message of a change."""

    def redact(change: Change) -> Change:
        subject, body = (redactor().redact(text)[0] for text in (change.subject, change.body))
        # a title that was cut short may end with the beginning of a secret
        if body != change.body and subject == change.subject and subject.endswith("…"):
            subject = subject.partition(":")[0]
        return replace(change, subject=subject, body=body)

    return redact


def rules_of(*patterns: object) -> str:
    """Return a key of the user's patterns, which tells whether a cache was redacted by them."""
    return hashlib.blake2b(
        repr(patterns).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()


def refuse_hiding(names: Sequence[str]) -> NoReturn:
    """Raise Declined: an agent's options or variables change these settings, which hide text."""
    said = " and ".join(f"lerim.{name}" for name in names)
    raise Declined(
        f"nothing was written: an agent runs this command, and {said} from the command line or the"
        " environment could hide text for good",
        hint="leave it out, or let the user put the values into git's configuration",
    )


def _clean(items: list[Stored], redactor: Callable[[], Any], checked: Checked) -> Iterator[Stored]:
    """Yield memories with their secrets redacted."""
    joined = ["\n\n".join(texts(item.memory)) for item in items]
    hidden = checked.with_secrets(joined, redactor)
    for item, text in zip(items, joined, strict=True):
        yield replace(item, memory=gated(item.memory, redactor())[0]) if text in hidden else item
