"""Keys that sign: made by ssh-keygen or gpg, and made known to git."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.repos import Repo

needs_keys = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)

needs_gpg = pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")


def key(path: Path, passphrase: str = "") -> Path:
    """Make a key and return the file of its private half."""
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", path], check=True
    )
    return path


@contextmanager
def gnupg() -> Iterator[None]:
    """Use a new home of gpg, which is short enough for its sockets."""
    with tempfile.TemporaryDirectory(dir="/tmp") as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNUPGHOME", home)
        yield
        subprocess.run(["gpgconf", "--kill", "all"], check=False)


def gpg(*args: str, key: bytes = b"") -> bytes:
    """Run gpg, without a passphrase; return its output."""
    options = ("--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "")
    return subprocess.run(
        ["gpg", *options, *args], input=key, capture_output=True, check=True
    ).stdout


def signs_with(repo: Repo, private: Path) -> None:
    """Let the user of a repository sign with a key where something asks for it."""
    for name, value in (("gpg.format", "ssh"), ("user.signingKey", f"{private}.pub")):
        repo.git("config", name, value)


def allows(repo: Repo, *publics: tuple[str, Path]) -> Path:
    """Let the user of a repository believe some keys, each of a mail address, and return the file
    that says so.
    """
    file = Path(repo.git("rev-parse", "--absolute-git-dir")) / "allowed_signers"
    file.write_text(
        "".join(f"{mail} {Path(f'{private}.pub').read_text()}" for mail, private in publics)
    )
    repo.git("config", "gpg.ssh.allowedSignersFile", str(file))
    return file


def signed_tip(repo: Repo, ref: str) -> str:
    """Sign the last commit of a branch anew, as its user, and return it."""
    tip = repo.git("rev-parse", ref)
    parents = [
        word for parent in repo.git("rev-parse", f"{ref}^@").split() for word in ("-p", parent)
    ]
    message = repo.git("log", "-1", "--format=%B", tip)
    made = repo.git("commit-tree", "-S", *parents, f"{tip}^{{tree}}", stdin=message)
    repo.git("update-ref", ref, made)
    return made
