"""Which commits carry a signature that git verifies: asked of git once for each commit, and kept
beside the repository.

`git log` says G of a good signature by somebody whom the allowed signers name, or, of GPG, whose
key is trusted. Nothing else counts: not a good one by a stranger (U), nor one that has expired or
was revoked.
"""

import hashlib
import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from git_lerim.git import fast_repo, gitconfig
from git_lerim.git.repo import Place, private_folder
from git_lerim.git.running.process import run_git

_PROGRAMS = {
    "gpg.program": "gpg",
    "gpg.openpgp.program": "gpg",
    "gpg.x509.program": "gpgsm",
    "gpg.ssh.program": "ssh-keygen",
}
_LISTS = ("gpg.ssh.allowedsignersfile", "gpg.ssh.revocationfile")
_KEYRING = ("pubring.kbx", "pubring.gpg", "trustdb.gpg")
_OWN = (
    "local",
    "worktree",
    # a repository that was copied from somewhere has a configuration, too: it names no program to
    # run
)


def programs(entries: Iterable[gitconfig.Entry]) -> list[str]:
    """Return the options by which git runs no program for signatures but those that the user's own
    configuration names.
    """
    theirs = dict(_PROGRAMS) | {"gpg.ssh.defaultkeycommand": ""}
    named: set[str] = set()
    for entry in entries:
        if entry.key in theirs:
            named |= {entry.key} if entry.scope in _OWN else set()
            theirs[entry.key] = theirs[entry.key] if entry.scope in _OWN else entry.value or ""
    return [word for key in sorted(named) for word in ("-c", f"{key}={theirs[key]}")]


class Verifying:
    """The signatures of one repository, as its user's git judges them."""

    def __init__(self, place: Place) -> None:
        """Ask nothing yet."""
        self._place = place

    @cached_property
    def files(self) -> list[str]:
        """What says whose signatures count, existing or not."""
        base = self._place.worktree or self._place.git_dir
        lists = [
            base / Path(self._values[key]).expanduser() for key in _LISTS if self._values.get(key)
        ]
        home = Path(os.environ.get("GNUPGHOME") or "~/.gnupg").expanduser()
        return [str(path) for path in (*lists, *(home / name for name in _KEYRING))]

    @cached_property
    def key(self) -> str:
        """What changes when other signatures may count."""
        told = [f"{key}={value}" for key, value in sorted(self._values.items())] + [
            fast_repo.stamp(path) for path in self.files
        ]
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()

    def among(self, commits: Iterable[str]) -> set[str]:
        """Return those of some commits that git verifies."""
        wanted = list(commits)
        known = self._known()
        new = [commit for commit in wanted if commit not in known]
        if new:
            known |= self._asked(new)
            self._keep(known)
        return {commit for commit in wanted if known[commit] == "G"}

    @cached_property
    def _entries(self) -> list[gitconfig.Entry]:
        return gitconfig.read(self._place, ("gpg.",))

    @cached_property
    def _values(self) -> dict[str, str]:
        return {entry.key: entry.value or "" for entry in self._entries}

    def _asked(self, commits: list[str]) -> dict[str, str]:
        lists = zip([key for key in _LISTS if self._values.get(key)], self.files, strict=False)
        options = [
            *programs(self._entries),
            *(word for key, path in lists for word in ("-c", f"{key}={path}")),
        ]
        log = self._place.git(
            "log", "--no-walk=unsorted", "--no-show-signature", "--format=%H %G?", "--stdin"
        )
        told = run_git(
            [*options, *log],
            cwd=self._place.git_dir,
            input="".join(f"{commit}\n" for commit in commits).encode(),
        )
        found = dict(
            line.split(" ") for line in told.decode("ascii", "replace").split("\n") if line
        )
        return {commit: found.get(commit, "N") for commit in commits}

    @property
    def _file(self) -> Path:
        return self._place.own_dir / "verified"

    def _known(self) -> dict[str, str]:
        try:
            key, *lines = self._file.read_text("ascii", "replace").split("\n")
        except OSError:
            return {}
        return dict(line.split(" ", 1) for line in lines if " " in line) if key == self.key else {}

    def _keep(self, known: dict[str, str]) -> None:
        temporary = self._file.with_name(f"verified.{os.getpid()}")
        try:
            private_folder(self._place.own_dir)
            with os.fdopen(
                os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w"
            ) as file:
                file.write(
                    "\n".join(
                        [self.key, *(f"{commit} {verdict}" for commit, verdict in known.items())]
                    )
                )
            temporary.replace(self._file)
        except OSError:
            return  # it is a copy that saves time, no more
