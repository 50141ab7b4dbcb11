from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo, bare, cloned
from support.stores import store_at
from support.world import World

from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.naming import path_of
from git_lerim.storage.base import Change

REF = "refs/heads/lerim/memory"
TOKEN = "ghp_" + "wJ4Wq7Zr2Kd8Xt5Vb1Nm3Pc6Yh9Lf0Sg2Aa4"


def refs(repo: Repo) -> str:
    return repo.git("for-each-ref", "refs/heads", "refs/remotes")


@pytest.fixture
def hub(tmp_path: Path) -> Repo:
    return bare(tmp_path / "hub.git")


@pytest.fixture
def ann(hub: Repo, tmp_path: Path) -> Repo:
    return cloned(hub, tmp_path / "ann")


@pytest.fixture
def bob(hub: Repo, tmp_path: Path) -> Repo:
    return cloned(hub, tmp_path / "bob")


@pytest.fixture
def remembered(world: World, ann: Repo) -> Repo:
    """Return a clone with a memory that was pushed nowhere."""
    assert world.lerim(ann.path, "remember", "Tests need TZ=UTC.").code == 0
    return ann


def test_a_dry_run_names_what_would_be_sent_and_sends_nothing(
    world: World, remembered: Repo
) -> None:
    before = refs(remembered)

    told = world.lerim(remembered.path, "push", "--dry-run")

    assert told.code == 0
    assert told.out.startswith("would push 1 memory in 2 commits to origin (")
    assert "Tests need TZ=UTC" in told.out
    assert "would ask for confirmation" in told.err
    assert refs(remembered) == before
    assert remembered.git("ls-remote", "origin", REF) == ""


def test_after_a_push_only_what_is_new_would_be_sent(world: World, remembered: Repo) -> None:
    world.lerim(remembered.path, "push", "--yes")
    assert "nothing to push" in world.lerim(remembered.path, "push", "--dry-run").out
    world.lerim(remembered.path, "remember", "Prices are cents.")

    would = world.lerim(remembered.path, "push", "--dry-run", "--json").json

    assert [each["title"] for each in would["memories"]] == ["Prices are cents"]
    assert (would["commits"], would["joins"], would["asks"]) == (1, False, False)


def test_what_others_pushed_would_be_joined_first_and_is_not_yet(
    world: World, remembered: Repo, bob: Repo
) -> None:
    world.lerim(bob.path, "remember", "Prices are cents.")
    world.lerim(bob.path, "push", "--yes")
    before = remembered.git("rev-parse", REF)

    told = world.lerim(remembered.path, "push", "--dry-run")

    assert "Tests need TZ=UTC" in told.out
    assert "Prices" not in told.out
    assert "first merge the remote's memory" in told.err
    assert remembered.git("rev-parse", REF) == before


def test_a_secret_that_would_stop_the_push_stops_its_dry_run(
    world: World, remembered: Repo
) -> None:
    leak = memory(title="A token", body=f"The token is {TOKEN}.")
    store_at(remembered.path).commit(
        lambda _: Change(files={path_of(leak): render(leak)}, subject="leak")
    )

    told = world.lerim(remembered.path, "push", "--dry-run")

    assert told.code == 1
    assert "possible secret" in told.err
    assert TOKEN not in told.out + told.err


def test_a_dry_run_has_no_background(world: World, remembered: Repo) -> None:
    told = world.lerim(remembered.path, "push", "--dry-run", "--background")

    assert told.code == 2
    assert "push --dry-run does not accept --background" in told.err
