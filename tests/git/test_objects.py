import os
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo

from git_lerim.errors import BranchBlocked, GitFailed, LerimError, ReadOnly, StoreMoved
from git_lerim.git.objects import FILE, FOLDER, TOGETHER, Objects, TreeEntry, writing
from git_lerim.git.repo import discover
from git_lerim.git.signature import Identity

ADA = Identity(b"Ada <ada@example.org>", b"Ada <ada@example.org>")
REF = "refs/heads/lerim/memory"


def objects_of(repo: Repo) -> Objects:
    return Objects(discover(repo.path, os.environ))


def test_what_is_written_is_read_back_by_git(repo: Repo) -> None:
    objects = objects_of(repo)
    blob = objects.write_blob(b"text\n")
    tree = objects.write_tree(None, {"a.md": TreeEntry(b"a.md", FILE, blob)})
    commit = objects.write_commit(f"tree {tree}\nauthor A <> 0 +0000\ncommitter A <> 0 +0000\n\nfirst\n".encode())

    assert repo.git("show", f"{commit}:a.md") == "text"
    assert objects.tree_of(commit) == tree
    assert objects.entries(str(tree)) == [TreeEntry(b"a.md", FILE, blob)]
    assert (objects.size(blob), objects.blob(blob)) == (5, b"text\n")


def test_a_tree_changes_in_the_named_entries_alone(repo: Repo) -> None:
    objects = objects_of(repo)
    blob = objects.write_blob(b"")
    both = objects.write_tree(None, {"a": TreeEntry(b"a", FILE, blob), "b": TreeEntry(b"b", FILE, blob)})

    only = objects.write_tree(both, {"a": None, "not there": None})

    assert [entry.name for entry in objects.entries(str(only))] == [b"b"]
    assert objects.write_tree(only, {"b": None}) is None


def test_a_ref_moves_from_where_it_was_expected_only(repo: Repo) -> None:
    objects = objects_of(repo)
    first, second = repo.git("rev-parse", "HEAD"), repo.commit({"a": "1"})

    objects.move_ref(REF, first, old=None, message="begin", who=ADA)
    for expected in (None, second):
        with pytest.raises(StoreMoved):
            objects.move_ref(REF, second, old=expected, message="wrong", who=ADA)
    objects.move_ref(REF, second, old=first, message="go on", who=ADA)

    assert repo.git("rev-parse", REF) == objects.ref(REF) == second
    assert repo.git("reflog", "show", "--format=%gs", REF).splitlines() == ["go on", "begin"]


def test_an_identity_without_a_mail_moves_a_ref_too(repo: Repo) -> None:
    objects_of(repo).move_ref(REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=Identity(b"A <>", b"A <>"))

    assert repo.git("rev-parse", REF)


def test_a_locked_ref_is_a_reason_to_try_again(repo: Repo) -> None:
    lock = repo.path / f".git/{REF}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()

    with pytest.raises(StoreMoved):
        objects_of(repo).move_ref(REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=ADA)


def test_a_ref_of_ours_is_removed_once(repo: Repo) -> None:
    objects = objects_of(repo)
    objects.move_ref(REF, repo.git("rev-parse", "HEAD"), old=None, message="x", who=ADA)

    objects.remove_ref(REF)
    objects.remove_ref(REF)

    assert objects.ref(REF) is None


def test_commits_are_found_by_prefix_and_nothing_else_is(repo: Repo) -> None:
    objects = objects_of(repo)
    commit = repo.git("rev-parse", "HEAD")

    assert objects.full_id(commit[:7]) == commit
    assert objects.full_id(repo.git("rev-parse", "HEAD:hello.py")) is None
    assert objects.full_id("1234567") is None


def test_a_missing_object_is_told_in_a_sentence(repo: Repo) -> None:
    objects = objects_of(repo)

    for ask in (objects.blob, objects.size, objects.entries, objects.tree_of):
        with pytest.raises(GitFailed, match="object 111111111111 cannot be read"):
            ask("1" * 40)
    assert not objects.is_whole("1" * 40)
    assert not objects.descends("1" * 40, "2" * 40)


def test_descent_goes_one_way(repo: Repo) -> None:
    objects = objects_of(repo)
    first, second = repo.git("rev-parse", "HEAD"), repo.commit({"a": "1"})

    assert objects.descends(second, first)
    assert objects.descends(first, first)
    assert not objects.descends(first, second)


def test_a_file_is_found_by_its_path_in_a_commit(repo: Repo) -> None:
    commit = repo.commit({"src/a.py": "x"})

    found = objects_of(repo).entry_at(commit, "src/a.py")

    assert found == TreeEntry(b"a.py", FILE, repo.git("rev-parse", "HEAD:src/a.py"))
    assert objects_of(repo).entry_at(commit, "src/b.py") is None
    folder = objects_of(repo).entry_at(commit, "src")
    assert folder is not None
    assert folder.mode == FOLDER


def test_a_repository_that_the_engine_cannot_open_is_told_clearly(tmp_path: Path) -> None:
    made = repos.unborn(tmp_path / "new", "--object-format=sha256")

    with pytest.raises(LerimError, match="sha256 objects cannot hold the memory branch yet"):
        objects_of(made)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("failed to create locked file: Permission denied", ReadOnly),
        ("failed to write: No space left on device", ReadOnly),
        ("could not open: Read-only file system", ReadOnly),
        ("path to reference 'refs/heads/lerim/memory' collides with existing one", BranchBlocked),
        ("failed to lock file 'x.lock' for writing", StoreMoved),
        ("old reference value does not match", StoreMoved),
    ],
)
def test_what_goes_wrong_in_writing_is_sorted(said: str, kind: type[LerimError]) -> None:
    with pytest.raises(kind), writing():
        raise OSError(said)


def test_what_a_ref_leads_to_is_on_the_disk_before_it_moves(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = objects_of(repo)
    early: set[int] = set()
    flush = os.fsync

    def noted(handle: int) -> None:  # the real thing, with a note of what had reached the disk while the ref was not there
        flush(handle)
        early.update([os.fstat(handle).st_ino] if objects.ref(REF) is None else [])

    monkeypatch.setattr(os, "fsync", noted)
    tree = objects.write_tree(None, {"a": TreeEntry(b"a", FILE, objects.write_blob(b"text of a commit\n"))})
    commit = objects.write_commit(f"tree {tree}\nauthor A <> 0 +0000\ncommitter A <> 0 +0000\n\nfirst\n".encode())
    objects.move_ref(REF, commit, old=None, message="begin", who=ADA)

    names = repo.git("rev-list", "--objects", "--no-object-names", REF).split()
    files = [repo.path / ".git" / "objects" / name[:2] / name[2:] for name in names]
    assert len(files) == 3
    assert {path.stat().st_ino for file in files for path in (file, file.parent)} <= early or not TOGETHER
