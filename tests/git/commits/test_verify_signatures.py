"""Which commits git verifies, and by which programs."""

import os
import shutil
from pathlib import Path

import pytest
from support.keys import allows, gnupg, gpg, key, needs_gpg, needs_keys, signed_tip, signs_with
from support.repos import Repo

from git_lerim.git.commits.verify_signatures import Verifying, programs
from git_lerim.git.gitconfig import Entry
from git_lerim.git.repo import discover


def entry(key: str, value: str, scope: str) -> Entry:
    return Entry(key=key, value=value, scope=scope, origin="file:x")


def test_programs_of_the_user_stand_and_those_of_a_repository_do_not() -> None:
    own = entry("gpg.ssh.program", "/opt/op-ssh-sign", "global")

    assert programs([own]) == []
    assert programs([own, entry("gpg.ssh.program", "/old/evil", "local")]) == [
        "-c",
        "gpg.ssh.program=/opt/op-ssh-sign",
    ]
    assert programs([entry("gpg.program", "/old/evil", "worktree")]) == ["-c", "gpg.program=gpg"]
    assert programs([entry("gpg.ssh.defaultkeycommand", "evil", "local")]) == [
        "-c",
        "gpg.ssh.defaultkeycommand=",
    ]


@needs_keys
def test_only_good_signatures_of_known_keys_count_and_are_kept(repo: Repo, tmp_path: Path) -> None:
    unsigned = repo.git("rev-parse", "main")
    signs_with(repo, key(tmp_path / "one"))
    known = signed_tip(repo, "refs/heads/main")
    signs_with(repo, key(tmp_path / "two"))
    strange = repo.commit({"a.py": "1\n"})
    strange = signed_tip(repo, "refs/heads/main")
    allows(repo, ("ada@example.org", tmp_path / "one"))
    place = discover(repo.path, {})

    assert Verifying(place).among([unsigned, known, strange]) == {known}
    kept = (place.own_dir / "verified").read_text().split("\n")
    assert len(kept) == 4
    (place.own_dir / "verified").write_text("\n".join([kept[0], f"{known} N", f"{strange} G"]))
    assert Verifying(place).among([known, strange]) == {
        strange
    }  # what is kept is not asked for again
    allows(repo, ("ada@example.org", tmp_path / "two"))
    assert Verifying(place).among([known, strange]) == {strange}
    allows(repo)
    assert Verifying(place).among([known, strange]) == set()


@needs_keys
@pytest.mark.parametrize("how", ["setting", "variable"])
def test_who_asks_for_signatures_says_whose_count(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    signs_with(repo, key(tmp_path / "one"))
    commit = signed_tip(repo, "refs/heads/main")
    listed = allows(repo, ("ada@example.org", tmp_path / "one"))
    place = discover(repo.path, {})
    repo.git("config", "lerim.trust", "signed")

    assert Verifying(place).among([commit]) == {commit}
    if how == "setting":
        repo.git("config", "--global", "lerim.trust", "signed")
    else:
        monkeypatch.setenv("LERIM_TRUST", "signed")
    assert Verifying(place).among([commit]) == set()
    repo.git("config", "--global", "gpg.ssh.allowedSignersFile", str(listed))
    assert Verifying(place).among([commit]) == {commit}


@needs_keys
def test_a_key_of_ssh_vouches_for_those_it_is_listed_for(repo: Repo, tmp_path: Path) -> None:
    signs_with(repo, key(tmp_path / "one"))
    commits = [signed_as(repo, name) for name in ("ada", "eve")]
    listed = allows(repo, ("ada@example.org,carol@example.org", tmp_path / "one"))
    place = discover(repo.path, {})

    assert Verifying(place).among(commits) == {commits[0]}
    assert Verifying(place).why_not(commits[0]) == ""
    assert "signature is by ada@example.org, not by" in Verifying(place).why_not(commits[1])
    for principals in ("carol@example.org,*@example.org", "carol@example.org,eve@example.org"):
        listed.write_text(f"{principals} {(tmp_path / 'one.pub').read_text()}")
        assert commits[1] in Verifying(place).among(commits)


@needs_keys
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are not listed here")
def test_a_list_of_signers_is_not_open_here_while_another_program_reads_it(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signs_with(repo, key(tmp_path / "one"))
    commit = signed_as(repo, "eve")
    listed = allows(repo, ("ada@example.org", tmp_path / "one"))
    with listed.open("a") as file:
        file.write(f"eve@example.org {(tmp_path / 'one.pub').read_text()}")
    # refuses, as Windows does, to read a file that this process has open
    program = tmp_path / "ssh-keygen"
    program.write_text(
        f"""#!/bin/sh
for one in /proc/{os.getpid()}/fd/*; do
    case " $* " in *" $(readlink "$one") "*) exit 1 ;; esac
done
exec ssh-keygen "$@"
"""
    )
    program.chmod(0o700)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "gpg.ssh.program")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(program))

    assert Verifying(discover(repo.path, {})).among([commit]) == {commit}


@needs_gpg
def test_a_key_of_gpg_vouches_for_the_addresses_of_its_owner(repo: Repo) -> None:
    with gnupg():
        gpg("--quick-generate-key", "Ada <ada@example.org>", "ed25519", "sign,cert", "never")
        gpg("--quick-add-uid", "ada@example.org", "Ada <ada@work.example>")
        repo.git("config", "user.signingKey", "ada@example.org")
        commits = [signed_as(repo, who) for who in ("ada", "eve")]
        at_work = signed_as(repo, "ada", "work.example")
        place = discover(repo.path, {})

        assert Verifying(place).among([*commits, at_work]) == {commits[0], at_work}
        assert "by Ada" in Verifying(place).why_not(commits[1])


def signed_as(repo: Repo, name: str, host: str = "example.org") -> str:
    """Sign the last commit anew, with the user's key, but with another author."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_AUTHOR_EMAIL", f"{name}@{host}")
        return signed_tip(repo, "refs/heads/main")


def test_no_results_come_with_a_copied_repository(repo: Repo, tmp_path: Path) -> None:
    commit = repo.git("rev-parse", "main")
    place = discover(repo.path, {})
    Verifying(place).among([commit])
    cache = place.own_dir / "verified"
    cache.write_text(cache.read_text().replace(f"{commit} N", f"{commit} G"))
    assert Verifying(place).among([commit]) == {commit}  # what is kept is believed here

    shutil.copytree(repo.path, tmp_path / "copy")

    assert Verifying(discover(tmp_path / "copy", {})).among([commit]) == set()
