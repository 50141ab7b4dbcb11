"""Record what the user allowed a repository to do: settings, pushes, and programs to run.

The answers are stored outside of the repository, so that the repository cannot forge them.

Each answer is a small file, named by a hash of the repository's path and the question. As the
question contains the values, the user is asked again when a value has changed.
"""

import contextlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from git_lerim import private_files
from git_lerim.errors import LerimError, ReadOnly

STORE = "memory.git"  # the personal memory in the data folder
_ALLOWED = "allowed"  # the folder of the answers
_USED, _PROOF = "used-here", "used-here.id"  # files of `mark_used`

Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Consent:
    """The user's consents for one repository."""

    folder: Path
    repository: str

    def allows(self, values: Pairs) -> bool:
        """Return whether the user allowed exactly these values of the repository's settings."""
        return self._path("settings", *_lines(values)).is_file()

    def was_declined(self, values: Pairs) -> bool:
        """Return whether the user declined exactly these values of the repository's settings."""
        return self._path("declined", *_lines(values)).is_file()

    def allow(self, values: Pairs) -> None:
        """Record that the user allowed these values. Raises ReadOnly."""
        self._path("declined", *_lines(values)).unlink(missing_ok=True)
        self._write("settings", *_lines(values))

    def decline(self, values: Pairs) -> None:
        """Record that the user declined these values; a failure to write is ignored."""
        with contextlib.suppress(ReadOnly):
            self._path("settings", *_lines(values)).unlink(missing_ok=True)
            self._write("declined", *_lines(values))

    def allows_push(self, url: str, settings: Mapping[str, str]) -> bool:
        """Return whether the user agreed to push this repository's memories to a URL.

        `settings` are those of the repository's own configuration that change how git pushes. If
        one changes, the user has to agree again.
        """
        return self._path("push", url, *_digest(settings)).is_file()

    def allow_push(self, url: str, settings: Mapping[str, str]) -> None:
        """Record that the user agreed to push to a URL with these settings. Raises ReadOnly."""
        self._write("push", url, *_digest(settings))

    def allows_connecting(self, programs: Mapping[str, str]) -> bool:
        """Return whether the user agreed that git uses these programs to connect to remotes."""
        return self._path("connect", *_digest(programs)).is_file()

    def allow_connecting(self, programs: Mapping[str, str]) -> None:
        """Record that git may use these programs to connect to remotes. Raises ReadOnly."""
        self._write("connect", *_digest(programs))

    def _path(self, what: str, *lines: str) -> Path:
        from hashlib import sha256  # noqa: PLC0415 most verbs ask nothing

        text = "\0".join((self.repository, *lines))
        return self.folder / f"{what}-{sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()}"

    def _write(self, what: str, *lines: str) -> None:
        path = self._path(what, *lines)
        text = "\n".join((self.repository, *lines, ""))
        try:
            private_files.make_folders(self.folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(
                os.open(path, flags, 0o600), "w", encoding="utf-8", errors="surrogateescape"
            ) as file:
                file.write(text)
        except OSError as error:
            hint = "set LERIM_HOME to use another folder"
            raise ReadOnly(
                f"cannot save your approval in {self.folder}: {error.strerror}", hint=hint
            ) from error


def consent_for(common_dir: Path, home: Path, env: Mapping[str, str]) -> Consent:
    """Return the consents for the repository with this git common directory."""
    return Consent(data_home(home, env) / _ALLOWED, os.path.realpath(common_dir))


def data_home(home: Path, env: Mapping[str, str]) -> Path:
    """Return the user's data folder for git-lerim: `$LERIM_HOME` or its default.

    The folder may not exist.
    """
    # a relative path counts from the home folder: the current one may be somebody's work tree
    share = Path(env.get("XDG_DATA_HOME") or Path(".local", "share")) / "git-lerim"
    return home / (env.get("LERIM_HOME") or share)


def holds_data(folder: Path) -> bool:
    """Return whether a data folder has a personal memory or answers in it."""
    return any((folder / name).is_dir() for name in (STORE, _ALLOWED))


def used(folder: Path) -> bool:
    """Return whether a person used this data folder on this machine, as `mark_used` records."""
    try:
        return private_files.read_small(folder / _PROOF, own=True).decode() == _identity(folder)
    except (OSError, UnicodeDecodeError):
        return False


def mark_used(folder: Path) -> None:
    """Record that a person uses a data folder, if it holds data and can be written.

    The record is the number and time of a new file in it. No archive can foresee them, so a folder
    that was unpacked from one counts as unused. A folder that is moved stays marked.
    """
    if holds_data(folder) and not used(folder):
        with contextlib.suppress(OSError):
            private_files.replace(folder / _USED, "")
            private_files.replace(folder / _PROOF, _identity(folder))


def _identity(folder: Path) -> str:
    """Return what tells the folder's file `_USED` from any copy. Raises OSError."""
    found = (folder / _USED).lstat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"{folder / _USED} is not a regular file")
    return f"{found.st_ino} {found.st_ctime_ns}\n"


def _digest(settings: Mapping[str, str]) -> list[str]:
    """Return a list with the hash of the settings; it is empty if there are no settings.

    The values are hashed, since they can be passwords.
    """
    from hashlib import sha256  # noqa: PLC0415 most verbs ask nothing

    text = "\0".join(_lines(settings.items()))
    return [sha256(text.encode("utf-8", "surrogateescape")).hexdigest()] if settings else []


def _lines(values: Pairs) -> list[str]:
    return sorted(f"{name} = {value!r}" for name, value in values)


def home_folder(env: Mapping[str, str]) -> Path:
    """Return the user's home folder. Raises LerimError if it is unknown."""
    try:
        return Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    except RuntimeError as error:  # a user without a line in passwd, as in a container
        raise LerimError(
            "cannot determine your home folder", hint="set the environment variable HOME"
        ) from error
