import os
import sys
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.cli import main


@pytest.mark.parametrize("words", [["-"], ["restore", "-"], ["--force", "-"]])
def test_a_backup_is_no_stream(
    words: list[str],
    repo: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store_at(repo.path).commit(adding(1))
    monkeypatch.chdir(repo.path)

    assert main(["backup", *words]) == 2
    assert "cannot be read from stdin or written to stdout" in capsys.readouterr().err
    assert not Path("-").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")
def test_nothing_is_put_in_the_place_of_a_device_or_a_pipe(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(repo.path).commit(adding(1))
    monkeypatch.chdir(repo.path)
    os.mkfifo("pipe")

    assert main(["backup", "--force", "pipe"]) == 2
    assert "pipe exists and is not a regular file" in capsys.readouterr().err
    assert Path("pipe").is_fifo()


@pytest.fixture
def kept(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a backup of a memory, for a repository without one to bring back, in which we
    stand.
    """
    other = repos.normal(tmp_path / "other")
    store_at(other.path).commit(adding(1))
    monkeypatch.chdir(other.path)
    assert main(["backup", str(tmp_path / "kept.bundle")]) == 0
    monkeypatch.chdir(repo.path)
    return tmp_path / "kept.bundle"


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    """Return what a verb says that brings nothing back: what happened, and what next."""
    capsys.readouterr()
    assert main(list(words)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    happened, next_ = told.err.splitlines()
    return happened, next_


def test_a_file_that_is_no_bundle_is_named_with_what_writes_one(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = kept.with_name("notes.txt")
    text.write_text("just text")

    happened, next_ = refused(capsys, "backup", "restore", str(text))
    assert happened == f"git lerim: {text} is not a readable git bundle; nothing was restored"
    assert (
        next_
        == "hint: git lerim backup FILE makes a backup; to read other files, use git lerim import"
    )
    happened, next_ = refused(capsys, "backup", "restore", str(kept.parent))
    assert happened == f"git lerim: {kept.parent} is a folder, not a file; nothing was restored"
    assert next_ == "hint: name a backup file; git lerim backup FILE makes a backup"
    happened, _ = refused(capsys, "backup", "restore", str(kept.with_name("none")))
    assert happened == f"git lerim: no such file: {kept.with_name('none')}; nothing was restored"


def test_a_bundle_of_something_else_is_no_backup_of_the_memory(
    repo: Repo, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("bundle", "create", "-q", "code.bundle", "main")

    happened, next_ = refused(capsys, "backup", "restore", "code.bundle")
    assert happened.endswith(
        "code.bundle is a git bundle without the branch lerim/memory; nothing was restored"
    )
    assert "lerim.branch" in next_
    assert kept.exists()


def test_a_bundle_that_is_cut_off_is_damaged(
    repo: Repo, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_bytes(kept.read_bytes()[:-200])

    happened, next_ = refused(capsys, "backup", "restore", str(kept))
    assert happened.startswith(
        f"git lerim: {kept} is damaged or incomplete; nothing was restored (git fetch: "
    )
    assert next_ == "hint: use another copy, or an older backup"
    assert "refs/lerim" not in repo.git("for-each-ref")


def test_a_bundle_that_is_cut_off_is_damaged_even_if_all_its_commits_are_here(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    store_at(repo.path).commit(adding(1))
    assert main(["backup", "cut.bundle"]) == 0
    cut = repo.path / "cut.bundle"
    assert main(["backup", "restore", "cut.bundle"]) == 0
    cut.write_bytes(cut.read_bytes()[:-200])

    capsys.readouterr()
    happened, _ = refused(capsys, "backup", "restore", "cut.bundle")

    assert happened.endswith(
        "is damaged or incomplete; nothing was restored (its checksum is wrong)"
    )


def test_who_restores_a_file_as_if_it_was_a_memory_is_told_the_verb_for_it(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    happened, next_ = refused(capsys, "restore", str(kept))
    assert happened == f"git lerim: {kept} is a file, not a memory ID"
    assert next_ == f"hint: to restore a backup: git lerim backup restore {kept}"


def test_a_backup_with_other_object_ids_is_not_called_damaged(
    repo: Repo,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = tmp_path / "other"
    repo.git("init", "-q", "--object-format=sha256", str(other))
    store_at(other).commit(adding(1))
    monkeypatch.chdir(other)
    assert main(["backup", "../kept.bundle"]) == 0
    monkeypatch.chdir(repo.path)

    happened, next_ = refused(capsys, "backup", "restore", str(tmp_path / "kept.bundle"))

    assert "another object format; this one uses sha1; nothing was restored" in happened
    assert "git init --object-format" in next_
