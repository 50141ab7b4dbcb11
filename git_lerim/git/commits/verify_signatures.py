"""Find commits with a signature of their author that git verifies, and cache the results.

Only `%G?` = G counts: a good signature by an allowed signer or, with GPG, by a trusted key. Good
signatures by an unknown key (U) do not count, nor do expired or revoked ones, nor those by somebody
else than the author (see `signers`). Whoever requires signatures decides who may sign: if the
user's own configuration sets `lerim.trust`, the lists of signers that the repository's
configuration names are ignored.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from git_lerim import private_files
from git_lerim.git import fast_repo, gitconfig
from git_lerim.git.commits import signers
from git_lerim.git.commits.author_names import ident
from git_lerim.git.commits.signers import Signature
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

_PROGRAMS = {
    "gpg.program": "gpg",
    "gpg.openpgp.program": "gpg",
    "gpg.x509.program": "gpgsm",
    "gpg.ssh.program": "ssh-keygen",
}
_LISTS = ("gpg.ssh.allowedsignersfile", "gpg.ssh.revocationfile")
_RULES = "2"  # raised when other signatures count
_OTHERS = "other "  # begins the verdict about a good signature of somebody else than the author
_FORM = "%H%x00%G?%x00%GS%x00%GF%x00%ae"
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
        told = (
            [_RULES]
            + [f"{key}={value}" for key, value in sorted(self._values.items())]
            + [
                fast_repo.stamp(path)
                for path in (*self.files, str(self._place.common_dir / "config"))
            ]
        )
        return hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()

    def among(self, commits: Iterable[str]) -> set[str]:
        """Return which of the commits have a signature of their author that git verifies."""
        wanted = list(commits)
        known = self._known()
        new = [commit for commit in wanted if commit not in known]
        if new:
            known |= self._asked(new)
            self._keep(known)
        return {commit for commit in wanted if known[commit] == "G"}

    def why_not(self, commit: str) -> str:
        """Return why a commit with a good signature does not count; empty if it has none."""
        self.among([commit])
        verdict = self._known().get(commit, "")
        if not verdict.startswith(_OTHERS):
            return ""
        signer = ident(verdict.removeprefix(_OTHERS))
        return f"its signature is by {signer}, not by its author (lerim.trust=signed)"

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
        listed = dict(zip(filter(self._values.get, _LISTS), self.files, strict=False))
        lists = {key: listed.get(key, os.devnull) for key in _LISTS if key in self._values}
        found = {each.commit: each for each in self._read(commits, lists)}
        good = [each for each in found.values() if each.verdict == "G"]
        own = self._by_principals(good, lists) | self._by_user_ids(good)
        others = {each.commit: f"{_OTHERS}{each.signer}" for each in good}
        verdicts = {commit: each.verdict for commit, each in found.items()}
        return dict.fromkeys(commits, "N") | verdicts | others | dict.fromkeys(own, "G")

    def _by_principals(self, good: list[Signature], lists: Mapping[str, str]) -> set[str]:
        """Return the commits whose author the list of signers names for the SSH key."""
        import tempfile  # noqa: PLC0415 only where signatures are looked at

        own = {each.commit for each in good if each.is_by_principal}
        by_mail: dict[str, list[str]] = {}
        for each in good:
            if each.is_by_ssh and each.commit not in own:
                by_mail.setdefault(each.mail, []).append(each.commit)
        # git names one principal of a key, and a pattern as it is: ask about the address instead
        for mail, commits in by_mail.items():
            listed = ""
            with suppress(OSError):
                listed = Path(lists[_LISTS[0]]).read_text("utf-8", "surrogateescape")
            if not (lines := signers.for_address(listed, mail)):
                continue
            with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
                file = Path(folder) / "allowed_signers"
                file.write_bytes(lines.encode("utf-8", "surrogateescape"))
                read = self._read(commits, {**lists, _LISTS[0]: str(file)})
                own |= {each.commit for each in read if each.verdict == "G"}
        return own

    def _by_user_ids(self, good: list[Signature]) -> set[str]:
        """Return the commits whose author is a certified user ID of the key of GPG or gpgsm."""
        chosen = {
            entry.key: entry.value
            for entry in self._entries
            if entry.scope not in _OWN and entry.value
        }
        gpg = chosen.get("gpg.openpgp.program", chosen.get("gpg.program", "gpg"))
        gpgsm = chosen.get("gpg.x509.program", "gpgsm")
        rest = [each for each in good if not each.is_by_ssh]
        known = {key: signers.addresses(gpg, gpgsm, key) for key in {each.key for each in rest}}
        return {each.commit for each in rest if each.mail.casefold() in known[each.key]}

    def _read(self, commits: list[str], lists: Mapping[str, str]) -> Iterator[Signature]:
        """Yield what git says about commits, given the files that list SSH signers."""
        options = [word for key, file in lists.items() for word in ("-c", f"{key}={file}")]
        log = self._place.git(
            *("log", "-z", "--no-walk=unsorted", "--no-show-signature", "--encoding=UTF-8"),
            *(f"--format={_FORM}", "--stdin"),
        )
        output = run_git(
            [*programs(self._entries), *options, *log],
            cwd=self._place.git_dir,
            input="".join(f"{commit}\n" for commit in commits).encode(),
        )
        tokens = iter(output.decode("utf-8", "replace").split("\0"))
        for fields in zip(*[tokens] * 5, strict=False):
            yield Signature(*fields)

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
