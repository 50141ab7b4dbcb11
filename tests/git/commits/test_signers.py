"""For which addresses a key may sign."""

import re

import pytest
from support.keys import gnupg, gpg, needs_gpg

from git_lerim.git.commits.signers import Signature, addresses, for_address


@pytest.mark.parametrize(
    ("principals", "is_allowed"),
    [
        ("ada@example.org", True),
        ("Ada@Example.org", True),
        ("eve@example.org,ada@example.org", True),
        ('"eve@example.org,ada@example.org"', True),
        ("*@example.org", True),
        ("*", True),
        ("*@example.org,!ada@*", False),
        ("eve@example.org", False),
        ("ada@example.orgs", False),
        ("xada@example.org", False),
        ("# ada@example.org", False),
    ],
)
def test_a_line_allows_whom_its_principals_match(principals: str, is_allowed: bool) -> None:  # noqa: FBT001 of a table
    rest = 'namespaces="git" ssh-ed25519 AAAA'

    found = for_address(
        f"bob@example.org ssh-ed25519 BBBB\n{principals} {rest}\n", "ada@example.org"
    )

    assert found == (f'"ada@example.org" {rest}\n' if is_allowed else "")


@pytest.mark.parametrize("mail", ["", "*", "a b", 'a" *', "ada@example.org,eve@example.org"])
def test_what_is_no_address_is_allowed_nothing(mail: str) -> None:
    assert for_address("* ssh-ed25519 AAAA\n", mail) == ""


def test_an_empty_address_is_no_principal() -> None:
    assert not Signature("c", "G", "", "SHA256:x", "").is_by_principal
    assert Signature("c", "G", "ada@example.org", "SHA256:x", "Ada@example.org").is_by_principal


def fingerprint(name: str) -> str:
    found = re.search(rb"(?m)^fpr:+([0-9A-F]+):", gpg("--with-colons", "--list-keys", name))
    assert found
    return found[1].decode()


@needs_gpg
def test_a_key_of_gpg_counts_for_its_certified_user_ids_alone() -> None:
    with gnupg():
        gpg("--quick-generate-key", "Eve <eve@example.org>", "ed25519", "sign,cert", "never")
        eve = fingerprint("eve@example.org")
        first = gpg("--export", eve)
        gpg("--quick-add-uid", eve, "Ada <ada@example.org>")
        gpg("--quick-set-primary-uid", eve, "Ada <ada@example.org>")
        second = gpg("--export", eve)
    with gnupg():
        gpg("--quick-generate-key", "Bob <Bob@example.org>", "ed25519", "sign,cert", "never")
        own = fingerprint("bob@example.org")
        gpg("--quick-add-uid", own, "Bob: at work <bob@work.example>")
        assert addresses("gpg", "gpgsm", own) == {"bob@example.org", "bob@work.example"}
        gpg("--import", key=first)
        assert addresses("gpg", "gpgsm", eve) == set()
        gpg("--yes", "--quick-sign-key", eve)
        gpg("--import", key=second)  # as a refresh from a key server brings it

        assert addresses("gpg", "gpgsm", eve) == {"eve@example.org"}
        assert addresses("gpg", "gpgsm", "0" * 40) == set()
        assert addresses("no-such-program", "no-such-program", eve) == set()
