"""Two people, each with a clone of one remote."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.prepared import Prepared
from support.repos import Repo, bare, cloned


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Return the folder in which the remote and the clones stand: what is prepared is always at the
    same path, since the memory of what was pushed and agreed to names it.
    """
    if "prepared" not in request.fixturenames:
        yield tmp_path
        return
    place = tmp_path.parent / f"place-{request.path.stem}"
    place.mkdir()
    yield place
    place.rename(tmp_path / place.name)  # as what else a failed test leaves


@pytest.fixture
def prepared(place: Path, sealed_world: Path, tmp_path: Path) -> Prepared:
    """Return what prepares the remote and the clones."""
    return Prepared(place, sealed_world, tmp_path)


@pytest.fixture
def hub(place: Path) -> Repo:
    """Return the remote."""
    return bare(place / "hub")


@pytest.fixture
def ann(hub: Repo, place: Path) -> Repo:
    """Return the clone of one of them."""
    return cloned(hub, place / "ann")


@pytest.fixture
def bob(hub: Repo, place: Path) -> Repo:
    """Return the clone of the other."""
    return cloned(hub, place / "bob")
