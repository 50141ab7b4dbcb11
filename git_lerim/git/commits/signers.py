"""Tell for which addresses a key may sign, according to the user's own keys and lists of signers.

Git says who signed a commit, but any known key may sign a commit in anybody's name.
"""

import re
import subprocess
from typing import NamedTuple

from git_lerim.git.running.process import clean_environment

_LINE = re.compile(r'\s*(?!#)(?:"([^"]*)"|([^\s"]+))\s+(.*)')  # principals, quoted or not; the rest
_UID = re.compile(r"[^<>]*<([^<>\s]+)>|([^<>\s]+@[^<>\s]+)")
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")
_NO_ADDRESS = re.compile(r'[\s",*?!]|^$')  # what has a meaning in a list of signers
_VALID = ("u", "f")  # certified ultimately or fully


class Signature(NamedTuple):
    """What git says about a commit's signature and about its author."""

    commit: str
    verdict: str  # `%G?`
    signer: str  # a principal of an SSH key, or the first user ID of another key
    key: str  # its fingerprint
    mail: str  # the author's address

    @property
    def is_by_ssh(self) -> bool:
        """Whether an SSH key made it."""
        return self.key.startswith("SHA256:")

    @property
    def is_by_principal(self) -> bool:
        """Whether the principal of the SSH key that git names is the author's address."""
        return self.is_by_ssh and self.signer.casefold() == self.mail.casefold() != ""


def for_address(listed: str, mail: str) -> str:
    """Return those lines of a list of SSH signers that allow an address, each for it alone."""
    if _NO_ADDRESS.search(mail):
        return ""
    lines = filter(None, map(_LINE.match, listed.split("\n")))
    return "".join(
        f'"{mail}" {line[3]}\n' for line in lines if _is_among(line[1] or line[2] or "", mail)
    )


def addresses(gpg: str, gpgsm: str, key: str) -> set[str]:
    """Return the addresses that a key of GPG is certified for, in lower case.

    The holder of a key can add any user ID to it, but a certificate of gpgsm names only what its
    issuer has checked.
    """
    rows = _uids(gpg, key)
    valid = [uid for validity, uid in rows if validity in _VALID]
    found = map(_UID.fullmatch, valid if rows else [uid for _, uid in _uids(gpgsm, key)])
    return {(uid[1] or uid[2]).casefold() for uid in found if uid}


def _is_among(patterns: str, mail: str) -> bool:
    """Return whether an address matches a list of patterns, of which `!` excludes some."""
    each = patterns.split(",")
    return any(_fits(one, mail) for one in each) and not any(
        _fits(one[1:], mail) for one in each if one.startswith("!")
    )


def _fits(pattern: str, mail: str) -> bool:
    form = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(form, mail, re.IGNORECASE) is not None


def _uids(program: str, key: str) -> list[tuple[str, str]]:
    """Return validity and text of each user ID of a key; none if it or the program is missing."""
    try:
        done = subprocess.run(
            [program, "--batch", "--no-tty", "--with-colons", "--list-keys", "--", key],
            env=clean_environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
    except (OSError, ValueError):
        return []
    rows = [line.split(":") for line in done.stdout.decode("utf-8", "replace").split("\n")]
    return [
        (row[1], _ESCAPED.sub(lambda found: chr(int(found[1], 16)), row[9]))
        for row in rows
        if row[0] == "uid" and len(row) > 9
    ]
