"""The user's patterns: what to redact in addition, and what never to redact."""

import re
from collections.abc import Iterator, Sequence
from re._parser import SubPattern, parse  # type: ignore[import-not-found]  # only it sees flags
from typing import Any

_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_CHOICES = {"BRANCH", "GROUPREF_EXISTS"}
_MANY = 10  # repetitions that cost as much as any number
_PIECE = 4096


def _can_explode(parsed: SubPattern) -> bool:
    """Return whether a pattern may take exponential time.

    That is so if a repeated part contains a choice, or a repeat whose count can vary.
    """
    return any(
        (_is_repeated(name, value) and any(map(_varies, _parts(value))))
        or any(map(_can_explode, _parts(value)))
        for name, value in _steps(parsed)
    )


def _is_repeated(name: str, value: Any) -> bool:
    if name not in _REPEATS:
        return False
    least, most, _ = value
    return bool(most >= _MANY or 1 < most != least)


def _varies(parsed: SubPattern) -> bool:
    """Return whether a part of a pattern contains a choice, or a repeat whose count can vary."""
    return any(
        name in _CHOICES
        or (name in _REPEATS and value[0] != value[1])
        or any(map(_varies, _parts(value)))
        for name, value in _steps(parsed)
    )


def _steps(parsed: SubPattern) -> Iterator[tuple[str, Any]]:
    yield from ((str(operation), value) for operation, value in parsed)


def _parts(value: Any) -> Iterator[SubPattern]:
    """Yield the patterns inside one part of a parsed pattern."""
    if isinstance(value, SubPattern):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _parts(each)


def compile_patterns(patterns: Sequence[str]) -> list[re.Pattern[str]]:
    """Compile patterns to redact.

    Raises ValueError naming a pattern that is invalid or may take exponential time.
    """
    compiled = []
    for pattern in patterns:
        try:
            ready = re.compile(pattern, re.MULTILINE)
            explodes = _can_explode(parse(pattern, re.MULTILINE))
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"not a regular expression: {pattern!r}: {error}") from error
        if explodes:
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
