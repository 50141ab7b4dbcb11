"""Two clones of one remote, each with a memory of its own."""

from pathlib import Path

import pytest
from support.repos import Repo, bare, normal
from support.stores import adding, store_at

REF = "refs/heads/lerim/memory"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Repo, Repo]:
    """Return two clones: one has memory 1, the other, which has fetched from it, memory 2."""
    hub = bare(tmp_path / "hub")
    ours, theirs = normal(tmp_path / "ours"), normal(tmp_path / "theirs")
    for n, repo in enumerate((theirs, ours), 1):
        repo.git("remote", "add", "origin", str(hub.path))
        store_at(repo.path).commit(adding(n))
    theirs.git("push", "-q", "origin", REF)
    ours.git("fetch", "-q")
    return ours, theirs
