"""Two people, each with a clone of one remote."""

from pathlib import Path

import pytest
from support.repos import Repo, bare, cloned


@pytest.fixture
def hub(tmp_path: Path) -> Repo:
    """Return the remote."""
    return bare(tmp_path / "hub")


@pytest.fixture
def ann(hub: Repo, tmp_path: Path) -> Repo:
    """Return the clone of one of them."""
    return cloned(hub, tmp_path / "ann")


@pytest.fixture
def bob(hub: Repo, tmp_path: Path) -> Repo:
    """Return the clone of the other."""
    return cloned(hub, tmp_path / "bob")
