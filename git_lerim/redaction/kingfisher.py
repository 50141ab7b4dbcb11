"""Kingfisher's rules beside our own, where the extra `[secrets]` is installed."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from git_lerim.redaction.finding import Finding

Scan = Callable[[str], list[Finding]]


@cache
def scanner() -> Scan | None:
    """Return what scans a text by Kingfisher's rules; None where it is not installed. Its rules load at the first scan."""
    return _scan if find_spec("kingfisher_sdk") else None


@cache
def _engine() -> object:
    return import_module("kingfisher_sdk").Scanner()


def _scan(text: str) -> list[Finding]:
    found = []
    for hit in _engine().scan(text):  # type: ignore[attr-defined]
        name = "".join(char if char.isalnum() or char in "-." else "-" for char in hit.rule_id.rsplit(".", 1)[-1])
        at = text.find(hit.secret) if hit.secret else -1
        while at >= 0:
            found.append(Finding(at, at + len(hit.secret), name))
            at = text.find(hit.secret, at + len(hit.secret))
    return found
