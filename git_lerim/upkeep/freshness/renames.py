"""Guess from a file's name and folders where it was moved. Pure functions."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

# Names that files in many folders have.
_COMMON = {
    "__init__.py",
    "index.js",
    "index.ts",
    "mod.rs",
    "main.go",
    "main.py",
    "README.md",
    "conftest.py",
}


def namesake(path: str, among: Iterable[str]) -> str | None:
    """Return the file of the same name in the most similar folder, or None if that is uncertain."""
    own = PurePosixPath(path).parts
    found = [other for other in among if PurePosixPath(other).name == own[-1]]
    shared = {other: _shared(own, PurePosixPath(other).parts) for other in found}
    best = sorted(found, key=lambda other: (-shared[other], other))[:2]
    if not best or (len(best) > 1 and shared[best[0]] == shared[best[1]]):
        return None
    return best[0] if shared[best[0]] > 1 or (len(found) == 1 and own[-1] not in _COMMON) else None


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(reversed(one), reversed(other), strict=False)) if a != b),
        min(len(one), len(other)),
    )
