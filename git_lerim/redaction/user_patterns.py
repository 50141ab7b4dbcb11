"""The user's patterns: what to redact in addition, and what never to redact."""

import re
from collections.abc import Iterator, Sequence

_REPEAT = re.compile(r"[*+]|\{\d*,\d*\}|\{(?:1[0-9]|[2-9][0-9]|\d{3,})\}")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_PIECE = 4096


def _can_explode(pattern: str) -> bool:
    """Return whether a pattern may take exponential time.

    It may if a repeated group contains a repeat or a choice.
    """
    holds: list[bool] = [False]
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and (whole := _CLASS.match(pattern, at)):
            at = whole.end()
            continue
        if char == "(":
            holds.append(False)
        elif char == ")" and len(holds) > 1:
            inner = holds.pop()
            if inner and _REPEAT.match(pattern, at + 1):
                return True
            holds[-1] = holds[-1] or inner
        elif char == "|" or (char == "?" and pattern[at - 1] != "(") or _REPEAT.match(pattern, at):
            holds[-1] = True
        at += 1
    return False


def compile_patterns(patterns: Sequence[str]) -> list[re.Pattern[str]]:
    """Compile patterns to redact.

    Raises ValueError naming a pattern that is invalid or may take exponential time.
    """
    compiled = []
    for pattern in patterns:
        try:
            ready = re.compile(pattern, re.MULTILINE)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"not a regular expression: {pattern!r}: {error}") from error
        if _can_explode(pattern):
            raise ValueError(
                f"a repeat or a choice inside a repeated group can run without end: {pattern!r}"
            )
        compiled.append(ready)
    return compiled


def compile_allowed(allow: Sequence[str]) -> list[re.Pattern[str]]:
    """Compile exceptions: each is an exact string and, if valid, also a pattern."""
    compiled = [re.compile(re.escape(text)) for text in allow]
    for text in allow:
        try:
            compiled += compile_patterns([text])
        except ValueError:
            continue  # an exact string such as `a+b(c` need not be a valid pattern
    return compiled


def search(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Search a text in pieces of at most 4 KiB, which limits the cost of a quadratic pattern."""
    at = 0
    while at < len(text):
        end = (
            len(text)
            if len(text) - at <= _PIECE
            else text.rfind("\n", at, at + _PIECE) + 1 or at + _PIECE
        )
        yield from (hit for hit in pattern.finditer(text, at, end) if hit.end() > hit.start())
        at = end
