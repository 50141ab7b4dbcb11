"""Which commits git verifies, and by which programs."""

import shutil
from pathlib import Path

import pytest
from support.keys import allows, key, needs_keys, signed_tip, signs_with
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


def test_no_results_come_with_a_copied_repository(repo: Repo, tmp_path: Path) -> None:
    commit = repo.git("rev-parse", "main")
    place = discover(repo.path, {})
    Verifying(place).among([commit])
    cache = place.own_dir / "verified"
    cache.write_text(cache.read_text().replace(f"{commit} N", f"{commit} G"))
    assert Verifying(place).among([commit]) == {commit}  # what is kept is believed here

    shutil.copytree(repo.path, tmp_path / "copy")

    assert Verifying(discover(tmp_path / "copy", {})).among([commit]) == set()
