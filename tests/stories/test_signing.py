"""Commits with a signature: as git itself is told to sign, or as `lerim.sign` says; and nobody is
asked in the background.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support.inside import lerim
from support.keys import allows, key, needs_keys, signs_with
from support.repos import Repo

from git_lerim.storage import layout
from git_lerim.storage.branch import tree_builder

pytestmark = needs_keys
REF = "refs/heads/lerim/memory"
WITHOUT_SIGNATURE = """#!/bin/sh
git rev-list "$3" --not --all | while read -r commit; do
  git verify-commit "$commit" 2>/dev/null || echo "$commit"
done > unsigned
[ -s unsigned ] || exit 0
{
  echo "error: GH013: Repository rule violations found for $1."
  echo "- Commits must have verified signatures."
  echo "  Found $(wc -l < unsigned) violations:"
  cat unsigned
} >&2
exit 1
"""


@pytest.fixture
def signer(ann: Repo, tmp_path: Path) -> Repo:
    """Return the clone of somebody with a key, whose own git believes it."""
    signs_with(ann, key(tmp_path / "ann-key"))
    allows(ann, ("ada@example.org", tmp_path / "ann-key"))
    return ann


def remember(repo: Repo, text: str) -> str:
    ran = lerim(repo.path, "remember", text)
    assert ran.code == 0, ran.err
    return ran.err


def verdicts(repo: Repo, ref: str = REF) -> str:
    """Return what git says of the commits of the branch, the newest first."""
    return repo.git("log", "--format=%G?", ref).replace("\n", "")


def test_commits_are_signed_where_git_is_told_to_sign(signer: Repo) -> None:
    remember(signer, "Prices are rounded half to even.")
    signer.git("config", "commit.gpgsign", "true")
    assert remember(signer, "Tests need TZ=UTC.") == ""
    signer.git("config", "lerim.sign", "never")
    remember(signer, "Totals are rounded down.")

    assert verdicts(signer) == "NGNN"
    assert signer.git("rev-list", "--max-parents=0", REF) == layout.ROOT_IDS["sha1"]
    assert "as git commit" not in lerim(signer.path, "config").out
    signer.git("config", "--unset", "lerim.sign")
    assert "as git commit" in lerim(signer.path, "config").out
    signer.git("fsck", "--strict")


def test_every_verb_signs(signer: Repo, bob: Repo) -> None:
    remember(bob, "Tests need TZ=UTC.")
    lerim(bob.path, "push", "--yes")
    signer.git("config", "lerim.sign", "always")
    remember(signer, "Prices are rounded half to even.")
    lerim(signer.path, "pull")  # a merge
    id_ = lerim(signer.path, "list", "--json").json[0]["id"]
    lerim(signer.path, "forget", id_)
    lerim(signer.path, "undo", signer.git("rev-parse", REF))
    lerim(signer.path, "handoff", "begin", "--next", "Go on.")

    assert signer.git("log", "--first-parent", "--format=%G? %s", REF).count("G ") == 5
    assert "G share: join origin" in signer.git("log", "--format=%G? %s", REF)

    purged = lerim(signer.path, "purge", id_, "--yes")

    assert purged.code == 0, purged.err
    assert signer.git("log", "-1", "--format=%G? %s", REF).startswith("G purge:")
    signer.git("fsck", "--strict")


def test_what_a_plain_fetch_brought_is_joined_by_a_signed_commit_when_something_is_written(
    signer: Repo, bob: Repo
) -> None:
    remember(bob, "Tests need TZ=UTC.")
    lerim(bob.path, "push", "--yes")
    signer.git("config", "lerim.sign", "always")
    remember(signer, "Prices are rounded half to even.")
    signer.git("fetch", "-q")
    assert "TZ=UTC" in lerim(signer.path, "list").out  # reading signs nothing
    remember(signer, "Totals are rounded down.")

    assert signer.git("log", "--first-parent", "--format=%G?", REF).split() == ["G", "G", "G", "N"]


def test_many_files_in_one_commit_are_signed_too(signer: Repo, tmp_path: Path) -> None:
    signer.git("config", "lerim.sign", "always")
    notes = tmp_path / "notes"
    notes.mkdir()
    for n in range(tree_builder.MANY + 1):
        (notes / f"note{n}.md").write_text(
            f"---\ntitle: Note number {n} of many\n---\nThe machine {n} needs a fan of its own.\n"
        )

    imported = lerim(signer.path, "import", str(notes))

    assert imported.code == 0, imported.err
    assert verdicts(signer) == "GN"


def test_a_push_signs_what_no_remote_has(signer: Repo, hub: Repo, bob: Repo) -> None:
    remember(bob, "Tests need TZ=UTC.")
    lerim(bob.path, "push", "--yes")
    theirs = bob.git("rev-parse", REF)
    remember(signer, "Prices are rounded half to even.")
    lerim(signer.path, "pull")
    remember(signer, "Totals are rounded down.")
    commit = signer.git("rev-parse", REF)
    lerim(signer.path, "undo", commit)
    tree, before = (
        signer.git("rev-parse", f"{REF}^{{tree}}"),
        signer.git("log", "--format=%an %at %ct %s", REF),
    )
    signer.git("config", "lerim.sign", "push")

    pushed = lerim(signer.path, "push", "--yes")

    assert pushed.code == 0, pushed.err
    assert hub.git("rev-parse", REF) == signer.git("rev-parse", REF)
    assert signer.git("rev-parse", f"{REF}^{{tree}}") == tree
    assert signer.git("log", "--format=%an %at %ct %s", REF).replace(commit[:12], "") != ""
    assert len(signer.git("log", "--format=%an %at %ct", REF).split("\n")) == len(
        before.split("\n")
    )
    assert sorted(verdicts(signer)) == [
        "G",
        "G",
        "G",
        "G",
        "N",
        "N",
    ]  # all but the root and what the other one wrote
    assert theirs in signer.git("rev-list", REF).split()
    assert commit[:12] not in signer.git(
        "log", "--format=%B", REF
    )  # a message names the commit that stands there now
    assert lerim(signer.path, "status", "--json").json["lost"] == []
    assert lerim(signer.path, "push").out.startswith("Nothing to push")
    signer.git("fsck", "--strict")


def takes_signed_commits_alone(hub: Repo, *publics: tuple[str, Path]) -> None:
    """Let a remote have the rule "Require signed commits", and refuse as GitHub does."""
    allows(hub, *publics)
    hook = hub.path / "hooks" / "update"
    hook.write_text(WITHOUT_SIGNATURE)
    hook.chmod(0o755)


@pytest.mark.parametrize("sign", ["push", "always", "as git commit"])
def test_a_first_push_to_a_remote_that_takes_signed_commits_alone_is_signed_from_the_root(
    sign: str, signer: Repo, hub: Repo, tmp_path: Path
) -> None:
    takes_signed_commits_alone(hub, ("ada@example.org", tmp_path / "ann-key"))
    signer.git(
        "config", *(("commit.gpgsign", "true") if sign == "as git commit" else ("lerim.sign", sign))
    )
    remember(signer, "Prices are rounded half to even.")
    remember(signer, "Tests need TZ=UTC.")
    tree = signer.git("rev-parse", f"{REF}^{{tree}}")

    pushed = lerim(signer.path, "push", "--yes")

    assert pushed.code == 0, pushed.err
    assert hub.git("rev-parse", REF) == signer.git("rev-parse", REF)
    assert verdicts(signer) == "GGG"
    assert signer.git("rev-parse", f"{REF}^{{tree}}") == tree
    root = signer.git("log", "--max-parents=0", "--format=%ae %ce %s", REF)
    assert (
        root == " ada@example.org Begin the memory of this repository"
    )  # forges go by the mail address of the committer
    remember(signer, "Totals are rounded down.")
    assert lerim(signer.path, "push").code == 0
    assert lerim(signer.path, "status", "--json").json["lost"] == []
    assert "problem" not in lerim(signer.path, "doctor").out
    signer.git("fsck", "--strict")


def test_two_who_began_alone_share_what_is_signed_from_the_root(
    signer: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    signs_with(bob, key(tmp_path / "bob-key"))
    takes_signed_commits_alone(
        hub, ("ada@example.org", tmp_path / "ann-key"), ("bob@example.org", tmp_path / "bob-key")
    )
    for repo, text in ((signer, "Prices are rounded half to even."), (bob, "Tests need TZ=UTC.")):
        repo.git("config", "lerim.sign", "push")
        remember(repo, text)
        pushed = lerim(repo.path, "push", "--yes")
        assert pushed.code == 0, pushed.err

    assert lerim(signer.path, "pull").code == 0
    assert signer.git("rev-parse", REF) == bob.git("rev-parse", REF) == hub.git("rev-parse", REF)
    assert {row["title"] for row in lerim(signer.path, "list", "--json").json} == {
        "Prices are rounded half to even", "Tests need TZ=UTC",
    }  # fmt: skip
    remember(signer, "Totals are rounded down.")
    assert lerim(signer.path, "push").code == 0
    assert lerim(bob.path, "pull").code == 0
    hub.git("fsck", "--strict")


def test_a_remote_that_takes_signed_commits_alone_says_how_to_sign(
    signer: Repo, hub: Repo, tmp_path: Path
) -> None:
    takes_signed_commits_alone(hub, ("ada@example.org", tmp_path / "ann-key"))
    signer.git("config", "lerim.sign", "never")
    remember(signer, "Prices are rounded half to even.")
    tip = signer.git("rev-parse", REF)

    refused = lerim(signer.path, "push", "--yes")

    assert refused.code == 1
    assert "Commits must have verified signatures" in refused.err
    assert (
        "to sign what you push, with your git signing key: git config lerim.sign push"
        in refused.err
    )
    assert signer.git("rev-parse", REF) == tip
    assert hub.git("for-each-ref") == ""
    signer.git("config", "lerim.sign", "push")  # the way out, as it is told
    assert lerim(signer.path, "push", "--yes").code == 0
    assert verdicts(signer) == "GG"


def test_a_key_that_a_remote_does_not_know_is_told(signer: Repo, hub: Repo, tmp_path: Path) -> None:
    takes_signed_commits_alone(hub, ("ada@example.org", key(tmp_path / "another-key")))
    signer.git("config", "lerim.sign", "push")
    remember(signer, "Prices are rounded half to even.")

    refused = lerim(signer.path, "push", "--yes")

    assert refused.code == 1
    assert "register your signing key there" in refused.err
    assert hub.git("for-each-ref") == ""


def test_what_cannot_be_signed_without_a_question_is_written_unsigned_and_said_once(
    ann: Repo, tmp_path: Path
) -> None:
    signs_with(ann, key(tmp_path / "locked", "a passphrase"))
    asking = tmp_path / "asking"
    asking.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\necho secret\n")
    asking.chmod(0o755)
    ann.git("config", "lerim.sign", "always")
    env = {"SSH_ASKPASS": str(asking), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":7"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        said = [
            remember(ann, "Prices are rounded half to even."),
            remember(ann, "Tests need TZ=UTC."),
        ]

    assert "commits are not signed" in said[0]
    assert said[1] == ""
    assert verdicts(ann) == "NNN"
    assert not (tmp_path / "asked").exists()
    assert "trouble   commits are not signed" in lerim(ann.path, "status").out
    pushed = lerim(ann.path, "push", "--yes")
    assert pushed.code == 1
    assert "could not be signed" in pushed.err
    assert ann.git("ls-remote", "origin") == ""

    signs_with(ann, key(tmp_path / "open"))
    remember(ann, "Totals are rounded down.")

    assert lerim(ann.path, "status", "--json").json["troubles"] == []
    assert lerim(ann.path, "push", "--yes").code == 0


def test_a_key_that_wants_to_be_touched_is_not_waited_for(ann: Repo, tmp_path: Path) -> None:
    (tmp_path / "touch.pub").write_text(
        "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAA\n"
    )
    signs_with(ann, tmp_path / "touch")
    ann.git("config", "lerim.sign", "always")

    assert "must be touched" in remember(ann, "Prices are rounded half to even.")


def test_a_repository_names_no_program_that_signs(signer: Repo, tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    evil.chmod(0o755)
    for name in ("gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"):
        signer.git("config", name, str(evil))
    signer.git("config", "commit.gpgsign", "true")

    remember(signer, "Prices are rounded half to even.")

    assert not (tmp_path / "ran").exists()
    signer.git("config", "--unset", "gpg.ssh.program")
    assert verdicts(signer) == "GN"


@pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
def test_a_key_of_gpg_signs_where_it_asks_nothing(
    ann: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(os.environ["HOME"]) / "g"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    args = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--quick-generate-key"]
    for passphrase, who in (("", "ada@example.org"), ("word", "eve@example.org")):
        made = subprocess.run(
            [*args[:5], "--passphrase", passphrase, args[5], who], check=False, capture_output=True
        )
        if made.returncode:
            pytest.skip("gpg makes no key here")
    subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=False)
    ann.git("config", "commit.gpgsign", "true")
    try:
        ann.git("config", "user.signingKey", "ada@example.org")
        assert remember(ann, "Prices are rounded half to even.") == ""
        ann.git("config", "user.signingKey", "eve@example.org")
        assert "no terminal to ask" in remember(ann, "Tests need TZ=UTC.")
    finally:
        subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=False)

    assert verdicts(ann)[::2] == "NN"
    assert verdicts(ann)[1] in "GU"


@pytest.mark.parametrize("words", [["edit", "--tag", "money"], ["protect"], ["forget"]])
def test_ones_own_signature_releases_nothing_that_waits_for_one(
    signer: Repo, bob: Repo, words: list[str]
) -> None:
    signer.git("config", "commit.gpgsign", "true")
    remember(signer, "Prices are rounded half to even.")
    lerim(signer.path, "push", "--yes")
    lerim(bob.path, "pull")
    bob.git("checkout", "-q", "lerim/memory")
    (file,) = bob.path.rglob("*prices-are*.md")
    file.write_text(file.read_text() + "\nWith the plan of Bob.\n")
    bob.git("commit", "-qam", "Add a plan")
    bob.git("push", "-q", "origin", "lerim/memory")
    signer.git("config", "lerim.trust", "signed")
    lerim(signer.path, "pull")
    assert "plan of Bob" not in lerim(signer.path, "brief").out

    verb, *options = words
    assert lerim(signer.path, verb, file.stem[-13:], *options).code == int(verb == "edit")
    assert lerim(signer.path, "restore", file.stem[-13:]).code == 0

    shown = lerim(signer.path, "brief").out
    assert "Prices are rounded half to even" in shown
    assert "plan of Bob" not in shown
