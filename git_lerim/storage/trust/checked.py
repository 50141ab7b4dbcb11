"""Cache which texts contain no secrets, so that reading them again need not load the redactor.

There is one file for each set of rules and secrets; each line is the digest of a clean text. A torn
or lost line only costs a second check.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from git_lerim import invisible, memories, private_files, redaction
from git_lerim.redaction.own_secrets.secret_sources import known_digests, variables

RULE_SETS = 8  # files that are kept: shells and agents have different environments
LARGEST = 1 << 23  # bytes of a file, after which it starts over
_SIZE = 16  # bytes of a digest


class Checked:
    """A cache of the texts that contain no secrets according to the current rules."""

    def __init__(self, folder: Path, rules: Callable[[], str]) -> None:
        """Open the cache without reading it yet.

        `folder` holds the repository's local state; `rules` returns a digest of everything that a
        verdict depends on.
        """
        self._folder = folder / "cache" / "checked"
        self._rules = rules
        self._known: set[bytes] | None = None
        self._path: Path | None = None
        self._new: list[bytes] = []

    def holds(self, text: str) -> bool:
        """Return whether a text was found free of secrets before."""
        if self._known is None:
            self._known = self._read()
        return _digest(text) in self._known

    def add(self, text: str) -> None:
        """Record that a text contains no secret."""
        self._new.append(_digest(text))

    def with_secrets(self, texts: Iterable[str], redactor: Callable[[], Any]) -> set[str]:
        """Return the texts that contain secrets; the redactor is loaded only if a text is new."""
        new = {text for text in texts if not self.holds(text)}
        if not new or not redactor().find("\n\n".join(sorted(new))):
            hidden: set[str] = set()
        else:
            hidden = {text for text in new if redactor().find(text)}
        for text in new - hidden:
            self.add(text)
        return hidden

    def save(self) -> None:
        """Append the new results to the file, if it can be written."""
        if not self._new or self._path is None or not self._folder.parent.parent.is_dir():
            return
        with contextlib.suppress(OSError):
            private_files.make_folders(self._folder)
            if not self._path.exists():
                _make_room(self._folder)
            elif self._path.stat().st_size > LARGEST:
                self._path.unlink()
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(self._path, flags, 0o600), "ab") as file:
                file.write(b"".join(b"\n" + each for each in self._new))
        self._known = (self._known or set()).union(self._new)
        self._new = []

    def _read(self) -> set[bytes]:
        rules = self._rules()
        if not rules:
            return set()
        self._path = self._folder / rules
        with contextlib.suppress(OSError):
            return set(private_files.read_small(self._path, 2 * LARGEST, own=True).split(b"\n"))
        return set()


def opened(
    folder: Path,
    env: Mapping[str, str],
    files: Callable[[], Iterable[tuple[str, str]]],
    settings: Iterable[object],
) -> Checked:
    """Return the cache of a repository for these settings and this user's secrets."""
    return Checked(
        folder, lambda: rules_digest(variables(env), files(), (*settings, known_digests(folder)))
    )


def rules_digest(
    env: Iterable[tuple[str, str]], files: Iterable[tuple[str, str]], settings: Iterable[object]
) -> str:
    """Return a digest of the redactor's code and inputs; empty if the code cannot be read."""
    try:
        code = [version(package.__path__[0]) for package in (redaction, memories)]
        found = os.stat(invisible.__file__)  # noqa: PTH116 pathlib would take longer
        code.append([("invisible", found.st_size, found.st_mtime_ns)])
    except OSError:  # e.g. the code is in an archive
        return ""
    return hashlib.blake2b(
        repr((code, list(env), list(files), list(settings))).encode(), digest_size=_SIZE
    ).hexdigest()


def version(folder: str) -> list[tuple[str, int, int]]:
    """Return name, size and time of each file of a package, including its subpackages.

    Raises OSError if the folder cannot be read.
    """
    files: list[tuple[str, int, int]] = []
    for entry in sorted(os.scandir(folder), key=lambda each: each.name):
        if entry.is_dir():
            files += version(entry.path) if entry.name != "__pycache__" else []
        else:
            found = entry.stat()
            files.append((entry.name, found.st_size, found.st_mtime_ns))
    return files


def _digest(text: str) -> bytes:
    return (
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE)
        .hexdigest()
        .encode()
    )


def _make_room(folder: Path) -> None:
    """Delete the files of the least recently written rule sets."""
    kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[RULE_SETS - 1 :]:
        path.unlink()
