"""Where the user's own secrets are kept: environment variables, and files in the home folder and the work trees."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

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
"""Files below the home folder that keep secrets; a repository's own are `.env` and `.env.*`."""

SHORTEST = 8  # characters of a secret
LARGEST = 1 << 20  # bytes of such a file
_HARMLESS_NAME = re.compile(
    r"^_$|(?:^|_)(?:PATH|HOME|PWD|OLDPWD|SHELL|TERM|LANG|USER|LOGNAME|EDITOR|PAGER|DISPLAY|TMPDIR|SHLVL|LS_COLORS|HOSTNAME)$"
    r"|_(?:FILE|PATH|DIR|URL|HOST|PORT|NAME|SOCK|ID|SHA|COMMIT|REF|VERSION)$|^(?:LC|XDG|DBUS|SSH_(?:AUTH_SOCK|ASKPASS|AGENT)|GPG|GIT_(?:ASKPASS|AUTHOR|COMMITTER)|INVOCATION|JOURNAL|WSL|VSCODE)"
)


def is_harmless(name: str, value: str) -> bool:
    """Tell whether a variable holds no secret by its name. An address can hold one under any name."""
    return "://" not in value and bool(_HARMLESS_NAME.search(name.upper()))


def variables(env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the variables that can hold a secret, sorted; a short value is none."""
    return sorted((name, value) for name, value in env.items() if len(value) >= SHORTEST and not is_harmless(name, value))


def files(home: Path, trees: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file that keeps secrets in the home folder or in work trees."""
    here = [path for tree in trees for path in sorted(Path(tree).glob(".env*"))]
    for path in (*(home / name for name in HOME_FILES), *here):
        with contextlib.suppress(OSError):
            if path.is_file() and path.stat().st_size < LARGEST:
                yield path.name, path.read_text(encoding="utf-8", errors="replace")
