"""Find secrets that were recognized earlier, even where no word beside them marks them.

Only keyed digests are stored, in one file with their key. These do not protect a weak password from
people who can read the file and guess, but such people can also read it in the agents' transcripts.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from git_lerim import private_files
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.own_secrets.elsewhere import Values, certain
from git_lerim.redaction.own_secrets.secret_sources import KNOWN, known_digests
from git_lerim.redaction.value_shape import has_digit

_STORED = 10_000  # values in the file; then nothing more is learned
_KEY = 16  # bytes
_DIGEST = 16  # bytes
_RUN = re.compile(r"[^\s\"'`]{8,}")  # values with other characters are not learned
_LONGEST = 200  # characters of a value
_CUT = re.compile(r"\W")  # a value begins after one and ends before one, or with its run
_Shape: TypeAlias = tuple[int, int]  # number of characters, and of cuts among them
_HEAD = re.compile(r"[0-9a-f]{32}")
_ROW = re.compile(r"(\d{1,3}) (\d{1,3}) ([0-9a-f]{32}) ([\w.-]{1,80})", re.ASCII)
_ANYWHERE = frozenset({"pattern"})  # rules that find a value wherever it is, while they are set


class KnownSecrets:
    """The secrets that were recognized earlier in a repository, as digests."""

    def __init__(self, folder: Path) -> None:
        """Read the digests that are stored in a repository's local folder."""
        self._folder = folder
        head, *lines = known_digests(folder).decode("ascii", "replace").split("\n")
        key = bytes.fromhex(head) if _HEAD.fullmatch(head) else b""
        self._key = key or os.urandom(_KEY)
        self._known: dict[bytes, tuple[_Shape, str]] = {}  # by digest, with the rule
        for line in lines if key else ():
            if row := _ROW.fullmatch(line):
                self._known[bytes.fromhex(row[3])] = (int(row[1]), int(row[2])), row[4]
        self._shapes = {shape for shape, _ in self._known.values()}

    def find(self, text: str) -> list[Finding]:
        """Return where a text has known secrets, each as a whole word."""
        if not self._known:
            return []
        folded = _folded(text)
        return [
            Finding(start, end, known[1])
            for start, end in self._candidates(folded)
            if (known := self._known.get(self._digest(folded[start:end])))
        ]

    def learn(self, values: Values, *, keep: bool) -> bool:
        """Find these secrets from now on; with `keep`, store them. Return whether any was new.

        Values that could also be words or names, or that the user's patterns find, are left out.
        """
        new = {
            digest: ((len(value), len(_CUT.findall(value))), rule)
            for value, rule in certain(values).items()
            if rule not in _ANYWHERE
            and len(value) <= _LONGEST
            and _RUN.fullmatch(value)
            and (digest := self._digest(value)) not in self._known
        }
        if not new or len(self._known) >= _STORED:
            return False
        self._known |= new
        self._shapes |= {shape for shape, _ in new.values()}
        if keep:
            self._store()
        return True

    def _candidates(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of what can be a known value by its shape and its digits."""
        spans = {within for _, within in self._shapes}
        for run in _RUN.finditer(text):
            if not has_digit(run[0]):
                continue
            at, end = run.span()
            cuts = [cut.start() for cut in _CUT.finditer(text, at, end)]
            starts, ends = [at, *(cut + 1 for cut in cuts)], [*cuts, end]
            for within in spans:
                for start, stop in zip(starts, ends[within:], strict=False):
                    if (stop - start, within) in self._shapes and has_digit(text[start:stop]):
                        yield start, stop

    def _digest(self, value: str) -> bytes:
        data = value.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self._key, digest_size=_DIGEST).digest()

    def _store(self) -> None:
        rows = (
            f"{size} {cuts} {digest.hex()} {rule}"
            for digest, ((size, cuts), rule) in self._known.items()
        )
        with suppress(OSError):  # the next sync that reads the values learns them
            private_files.replace(self._folder / KNOWN, "\n".join((self._key.hex(), *rows, "")))


def _folded(text: str) -> str:
    """Return a text with its case folded where that leaves all positions as they are."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded
    return "".join(low if len(low := char.casefold()) == 1 else char for char in text)
