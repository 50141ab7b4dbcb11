"""Sign commits with the user's git; without a terminal, only if that needs no prompt.

A commit that cannot be signed is written unsigned, with a warning, so that a missing key causes no
loss of memories.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from git_lerim.errors import GitFailed
from git_lerim.git import gitconfig
from git_lerim.git.commits.verify_signatures import programs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place, private_folder
from git_lerim.git.running.process import SAFE, clean_environment, failure, plain, run_git
from git_lerim.private_files import read_small, read_text

PATIENCE = 10.0  # seconds to wait for a program if nobody can be prompted
SIGNED = (b"\ngpgsig ", b"\ngpgsig-sha256 ")
_HEAD = re.compile(
    rb"tree (?P<tree>[0-9a-f]+)\n(?P<parents>(?:parent [0-9a-f]+\n)*)"
    rb"author (?P<author>[^\n]*)\ncommitter (?P<committer>[^\n]*)\n\n"
)
_WHO = re.compile(rb"(.*) <([^<>]*)> ([0-9]+ [+-][0-9]{4})", re.DOTALL)
# variables that would let a program prompt the user
_ASKING = (
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "SSH_ASKPASS",
    "GPG_TTY",
)
_TOUCH = ("sk-ssh-", "sk-ecdsa-")  # security keys: they need a touch
_BATCH = ("--batch", "--no-tty", "--pinentry-mode", "error", "--status-fd", "2", "-bsau")


def is_alone() -> bool:
    """Return whether there is no terminal on which the user could be prompted."""
    return sys.stderr is None or not sys.stderr.isatty()


class Signer:
    """A signer for the commits of one run."""

    def __init__(self, place: Place, tell: Callable[[str], object], *, alone: bool) -> None:
        """Prepare; `tell` warns the user, and `alone` means that nobody can be prompted."""
        self._place = place
        self._say = tell
        self._alone = alone
        self._refused = ""  # why nothing is signed

    def commit(self, objects: Objects, commit: str) -> str:
        """Write a signed copy of a commit; return its id, or the given id if signing fails."""
        made = "" if self._refused else self._signed(objects, commit)
        if not made and self._refused:
            self._tell()
        elif made:
            self._file.unlink(missing_ok=True)
        return made or commit

    def why_not(self) -> str:
        """Return why the last commit was not signed, or an empty string."""
        return self._refused

    def _signed(self, objects: Objects, commit: str) -> str:
        data = run_git(self._place.git("cat-file", "commit", commit), cwd=self._place.git_dir)
        head = _HEAD.match(data)
        if head is None:
            return ""  # it is signed already, or has headers that `git commit-tree` cannot write
        if self._alone and (why := self._prompting):
            self._refused = why
            return ""
        parents = [
            word
            for line in head["parents"].decode().splitlines()
            for word in ("-p", line.removeprefix("parent "))
        ]
        args = ["-c", "i18n.commitEncoding=UTF-8", *self._options]
        args += self._place.git("commit-tree", "-S", *parents, head["tree"].decode())
        env = {**_named("AUTHOR", head["author"]), **_named("COMMITTER", head["committer"])}
        try:
            made = self._run(args, env, data[head.end() :]).decode("ascii").strip()
            output = run_git(self._place.git("cat-file", "commit", made), cwd=self._place.git_dir)
        except GitFailed as error:
            self._refused = str(error)
            return ""
        if re.sub(rb"\n(gpgsig[^ ]* [^\n]*(?:\n [^\n]*)*)", b"", output, count=1) != data:
            self._refused = "git would have changed the commit"
            return ""
        # git has written the commit, but only what we write ourselves is protected from a gc
        return objects.write_commit(output)

    @cached_property
    def _entries(self) -> list[gitconfig.Entry]:
        return gitconfig.read(self._place, ("gpg.", "user.signingkey"))

    @cached_property
    def _values(self) -> dict[str, str]:
        return {entry.key: entry.value or "" for entry in self._entries}

    @cached_property
    def _options(self) -> list[str]:
        return programs(self._entries)

    @cached_property
    def _prompting(self) -> str:
        """The reason why signing would need a prompt, or an empty string.

        For GPG, this is found out by signing an empty input.
        """
        form = self._values.get("gpg.format") or "openpgp"
        chosen = dict(option.split("=", 1) for option in self._options[1::2])
        program = chosen.get(f"gpg.{form}.program", self._values.get(f"gpg.{form}.program", ""))
        if form == "ssh":
            if Path(program or "ssh-keygen").stem != "ssh-keygen":
                return f"{plain(program)} may ask for input, and there is no terminal"
            return (
                "the key must be touched, and there is no terminal"
                if self._is_to_be_touched()
                else ""
            )
        if form != "openpgp":
            return f"{plain(form)} may ask for input, and there is no terminal"
        program = program or chosen.get("gpg.program", self._values.get("gpg.program", "")) or "gpg"
        try:
            done = subprocess.run(
                [program, *_BATCH, self._key()],
                env=_unasked(),
                input=b"",
                capture_output=True,
                check=False,
                timeout=PATIENCE,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return f"{plain(program)} cannot be run"
        return (
            ""
            if not done.returncode
            else "the key is locked or missing, and there is no terminal to ask for a passphrase"
        )

    def _key(self) -> str:
        who = run_git(
            self._place.git("var", "GIT_COMMITTER_IDENT"), cwd=self._place.git_dir
        ).decode("utf-8", "replace")
        return self._values.get("user.signingkey") or who.rpartition(" ")[0].rpartition(" ")[0]

    def _is_to_be_touched(self) -> bool:
        told = self._values.get("user.signingkey", "")
        for path in (told, f"{told}.pub"):
            with contextlib.suppress(OSError, ValueError):
                told += read_small(Path(path).expanduser()).decode("ascii", "replace")
        return any(kind in told for kind in _TOUCH)

    def _run(self, args: list[str], env: Mapping[str, str], given: bytes) -> bytes:
        """Run git; if nobody can be prompted, then without a terminal and with a time limit."""
        base = _unasked() if self._alone else clean_environment()
        with subprocess.Popen(
            ["git", *SAFE, *args], cwd=self._place.git_dir, env={**base, **env},
            start_new_session=self._alone,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            try:
                out, err = process.communicate(given, timeout=PATIENCE if self._alone else None)
            except BaseException as error:
                _end(process, alone=self._alone)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise GitFailed(
                        f"git did not finish signing within {PATIENCE:.0f} seconds"
                    ) from error
                raise
        if process.returncode:
            said = b"\n".join(
                line
                for line in err.splitlines()
                if line.strip() and not line.startswith(b"[GNUPG:]")
            )
            raise failure(args, said)
        return out

    @property
    def _file(self) -> Path:
        return self._place.own_dir / "unsigned"

    def _tell(self) -> None:
        """Warn once that commits are not signed; `git lerim status` warns until one is signed."""
        if unsigned_reason(self._place) == self._refused:
            return
        self._say(f"commits are not signed: {self._refused}")
        with contextlib.suppress(OSError):
            private_folder(self._place.own_dir)
            self._file.write_text(self._refused, encoding="utf-8")


def unsigned_reason(place: Place) -> str:
    """Return why the last commit could not be signed, or an empty string."""
    try:
        return plain(read_text(place.own_dir / "unsigned"))[:300]
    except OSError:
        return ""


def _named(role: str, who: bytes) -> dict[str, str]:
    match = _WHO.fullmatch(who)
    if match is None:
        return {}
    name, mail, date = map(os.fsdecode, match.groups())
    return {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": mail, f"GIT_{role}_DATE": f"@{date}"}


def _unasked() -> dict[str, str]:
    kept = {name: value for name, value in clean_environment().items() if name not in _ASKING}
    return kept | {"SSH_ASKPASS_REQUIRE": "never"}


def _end(process: subprocess.Popen[bytes], *, alone: bool) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if alone and os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
