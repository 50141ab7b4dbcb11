"""List where the user's own secrets are kept: environment variables and files."""

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from git_lerim import private_files

HOME_FILES = (
    ".netrc",
    "_netrc",
    ".aws/credentials",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".env",
    ".docker/config.json",
    ".pgpass",
    ".cargo/credentials.toml",
)
"""Files with secrets in the home folder; in a work tree these are `.env` and `.env.*`."""

SHORTEST = 8  # characters of a secret
COMMITTED = "committed/"
"""Prefix for the names of files in git, which others may have written.

In such a file, the name of a variable does not make its value a secret.
"""

KNOWN = "known-secrets"  # the file of `KnownSecrets` in a repository's local folder
_MOST_KNOWN = 1 << 21  # its maximum size in bytes
LARGEST = 1 << 20  # bytes of such a file, and of all in a work tree
MOST_FILES = 100  # in a work tree
MOST_COMMITTED = 1 << 16  # bytes of all files of a work tree that are in git
_HARMLESS_NAME = re.compile(
    r"^_$|(?:^|_)(?:PATH|HOME|PWD|OLDPWD|SHELL|TERM|LANG|USER|LOGNAME|EDITOR|PAGER|DISPLAY|TMPDIR|"
    r"SHLVL|LS_COLORS|HOSTNAME)$|_(?:FILE|PATH|DIR|URL|HOST|PORT|NAME|SOCK|ID|SHA|COMMIT|REF|"
    r"VERSION)$|^(?:LC|XDG|DBUS|SSH_(?:AUTH_SOCK|ASKPASS|AGENT)|GPG|GIT_(?:ASKPASS|AUTHOR|"
    r"COMMITTER)|INVOCATION|JOURNAL|WSL|VSCODE)"
)


def known_digests(folder: Path) -> bytes:
    """Return the stored digests of a repository's known secrets; empty if there are none."""
    with contextlib.suppress(OSError):
        return private_files.read_small(folder / KNOWN, _MOST_KNOWN, own=True)
    return b""


def is_harmless(name: str, value: str) -> bool:
    """Return True if a variable's name rules out a secret and its value contains no URL."""
    return "://" not in value and bool(_HARMLESS_NAME.search(name.upper()))


def variables(env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the environment variables that may contain a secret, sorted.

    Short values are left out.
    """
    return sorted(
        (name, value)
        for name, value in env.items()
        if len(value) >= SHORTEST and not is_harmless(name, value)
    )


def files(
    home: Path, trees: Iterable[str], tracked: Callable[[str, list[str]], set[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each file that may contain secrets.

    These are known files in the home folder, and `.env*` in work trees. `tracked` returns the files
    of a work tree that are in git; their names are prefixed with `COMMITTED`. If a work tree has
    too many files, those with the shortest names are read. The smallest files are read first, until
    together they reach `LARGEST` bytes, or `MOST_COMMITTED` if they are in git.
    """
    for name in HOME_FILES:
        yield from _read(home / name)
    for tree in trees:
        paths = sorted(Path(tree).glob(".env*"), key=lambda path: (len(path.name), path.name))
        paths = paths[:MOST_FILES]
        shared = tracked(tree, [path.name for path in paths]) if paths else set[str]()
        yield from _up_to(LARGEST, [path for path in paths if path.name not in shared])
        for name, text in _up_to(MOST_COMMITTED, [path for path in paths if path.name in shared]):
            yield COMMITTED + name, text


def _up_to(most: int, paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    read = 0
    for path in sorted(paths, key=_size):
        read += _size(path)
        if read > most:
            return
        yield from _read(path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else LARGEST
    except OSError:
        return LARGEST


def _read(path: Path) -> Iterator[tuple[str, str]]:
    with contextlib.suppress(OSError):
        if _size(path) < LARGEST:
            yield path.name, path.read_text(encoding="utf-8", errors="replace")
