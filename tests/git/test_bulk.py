import os

import pytest
from support.repos import Repo

from git_lerim.errors import GitFailed
from git_lerim.git.bulk import import_files
from git_lerim.git.repo import discover

ADA = (b"Ada <ada@example.org> 1 +0000", b"Bob <bob@example.org> 2 +0000")


def test_many_files_become_one_commit_and_no_ref_stays(repo: Repo) -> None:
    base = repo.commit({"old": "x", "kept": "y"})
    refs = repo.git("for-each-ref")
    files: dict[str, bytes | None] = {'odd "name" \\ here': b"1", "a/b/c": b"data 5\n", "empty": b"", "old": None}

    commit = import_files(discover(repo.path, os.environ), base, files, ADA, b"subject\n\nbody\n")

    assert repo.git("ls-tree", "-r", "-z", "--name-only", commit).split("\0")[:-1] == [
        "a/b/c", "empty", "hello.py", "kept", 'odd "name" \\ here',
    ]  # fmt: skip
    assert repo.git("show", f"{commit}:a/b/c") == "data 5"
    assert repo.git("log", "-1", "--format=%P %an %at %cn %ct %B", commit).startswith(f"{base} Ada 1 Bob 2 subject")
    assert repo.git("for-each-ref") == refs


def test_a_base_that_is_not_there_leaves_nothing(repo: Repo) -> None:
    with pytest.raises(GitFailed):
        import_files(discover(repo.path, os.environ), "1" * 40, {"a": b""}, ADA, b"x\n")

    assert "lerim" not in repo.git("for-each-ref")
