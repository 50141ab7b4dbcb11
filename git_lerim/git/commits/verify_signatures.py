"""Find commits whose signature git verifies; the results are cached beside the repository.

Only `%G?` = G counts: a good signature by an allowed signer or, with GPG, by a trusted key. Good
signatures by an unknown key (U) do not count, nor do expired or revoked ones. Whoever requires
signatures decides who may sign: if the user's own configuration sets `lerim.trust`, the lists of
signers that the repository's configuration names are ignored.
"""

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from git_lerim import private_files
from git_lerim.git import fast_repo, gitconfig
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

_PROGRAMS = {
    "gpg.program": "gpg",
    "gpg.openpgp.program": "gpg",
    "gpg.x509.program": "gpgsm",
    "gpg.ssh.program": "ssh-keygen",
}
_LISTS = ("gpg.ssh.allowedsignersfile", "gpg.ssh.revocationfile")
_TRUST, _VARIABLE, _SIGNED = "lerim.trust", "LERIM_TRUST", "signed"
_KEYRING = ("pubring.kbx", "pubring.gpg", "trustdb.gpg")
# the configuration of a copied repository must not choose programs to run
_OWN = ("local", "worktree")


def programs(entries: Iterable[gitconfig.Entry]) -> list[str]:
    """Return git options that override the signature programs set by the repository.

    Git then runs the programs that the user's own configuration sets, or its defaults.
    """
    theirs = dict(_PROGRAMS) | {"gpg.ssh.defaultkeycommand": ""}
    named: set[str] = set()
    for entry in entries:
        if entry.key in theirs:
            named |= {entry.key} if entry.scope in _OWN else set()
            theirs[entry.key] = theirs[entry.key] if entry.scope in _OWN else entry.value or ""
    return [word for key in sorted(named) for word in ("-c", f"{key}={theirs[key]}")]


class Verifying:
    """The signatures of one repository, as its user's git verifies them."""

    def __init__(self, place: Place) -> None:
        """Prepare without running git yet."""
        self._place = place

    @cached_property
    def files(self) -> list[str]:
        """The files that decide which signatures are valid, existing or not."""
        base = self._place.worktree or self._place.git_dir
        lists = [
            base / Path(self._values[key]).expanduser() for key in _LISTS if self._values.get(key)
        ]
        home = Path(os.environ.get("GNUPGHOME") or "~/.gnupg").expanduser()
        return [str(path) for path in (*lists, *(home / name for name in _KEYRING))]

    @cached_property
    def key(self) -> str:
        """A fingerprint of everything that decides which signatures are valid.

        It includes stamps of files on this disk, so that results cached in a copied repository do
        not count.
        """
        told = [f"{key}={value}" for key, value in sorted(self._values.items())] + [
            fast_repo.stamp(path) for path in (*self.files, str(self._place.common_dir / "config"))
        ]
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()

    def among(self, commits: Iterable[str]) -> set[str]:
        """Return which of the commits have a signature that git verifies."""
        wanted = list(commits)
        known = self._known()
        new = [commit for commit in wanted if commit not in known]
        if new:
            known |= self._asked(new)
            self._keep(known)
        return {commit for commit in wanted if known[commit] == "G"}

    @cached_property
    def _entries(self) -> list[gitconfig.Entry]:
        return gitconfig.read(self._place, ("gpg.", _TRUST))

    @cached_property
    def _values(self) -> dict[str, str]:
        """The effective settings about signatures; an ignored list of signers is given as empty."""
        asked = os.environ.get(_VARIABLE) == _SIGNED or any(
            entry.key == _TRUST and entry.scope not in _OWN and entry.value == _SIGNED
            for entry in self._entries
        )
        found: dict[str, str] = {}
        for entry in self._entries:
            if asked and entry.key in _LISTS and entry.scope in _OWN:
                found.setdefault(entry.key, "")
            else:
                found[entry.key] = entry.value or ""
        return found

    def _asked(self, commits: list[str]) -> dict[str, str]:
        lists = dict(zip(filter(self._values.get, _LISTS), self.files, strict=False))
        options = [
            *programs(self._entries),
            *(
                word
                for key in _LISTS
                if key in self._values
                for word in ("-c", f"{key}={lists.get(key, os.devnull)}")
            ),
        ]
        log = self._place.git(
            "log", "--no-walk=unsorted", "--no-show-signature", "--format=%H %G?", "--stdin"
        )
        output = run_git(
            [*options, *log],
            cwd=self._place.git_dir,
            input="".join(f"{commit}\n" for commit in commits).encode(),
        )
        found = dict(
            line.split(" ") for line in output.decode("ascii", "replace").split("\n") if line
        )
        return {commit: found.get(commit, "N") for commit in commits}

    @property
    def _file(self) -> Path:
        return self._place.own_dir / "verified"

    def _known(self) -> dict[str, str]:
        try:
            key, *lines = private_files.read_text(self._file, private_files.OURS).split("\n")
        except OSError:
            return {}
        return dict(line.split(" ", 1) for line in lines if " " in line) if key == self.key else {}

    def _keep(self, known: dict[str, str]) -> None:
        rows = [self.key, *(f"{commit} {verdict}" for commit, verdict in known.items())]
        with suppress(OSError):  # only a cache
            private_files.replace(self._file, "\n".join(rows))
