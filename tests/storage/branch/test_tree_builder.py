"""What a changed tree may hold."""

import os
from pathlib import Path

import pytest
from support import repos

from git_lerim.errors import GitFailed
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.trees import FILE, SUBMODULE, TreeEntry
from git_lerim.git.repo import discover
from git_lerim.storage.branch.tree_builder import written


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_a_file_that_is_nowhere_is_not_taken(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    objects = open_objects(discover(repo.path, os.environ))
    nowhere = "1" * len(repo.git("rev-parse", "HEAD"))

    with pytest.raises(GitFailed, match="object 111111111111 cannot be read"):
        written(objects, None, {"decisions/a.md": TreeEntry(b"a.md", FILE, nowhere)})

    assert written(objects, None, {"part": TreeEntry(b"part", SUBMODULE, nowhere)})
    repo.git("config", "remote.origin.promisor", "true")
    partial = open_objects(discover(repo.path, os.environ))
    assert written(partial, None, {"decisions/a.md": TreeEntry(b"a.md", FILE, nowhere)})
