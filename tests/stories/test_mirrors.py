"""Remotes that mirror, and such of several places: their rules move nothing here, and each place is told of as it is."""

import pytest
from support.repos import Repo
from support.world import World

REF = "refs/heads/lerim/memory"


def out(world: World, repo: Repo, *words: str) -> str:
    ran = world.lerim(repo.path, *words)
    assert ran.code == 0, ran.err
    return ran.out


@pytest.mark.parametrize("rule", ["+refs/*:refs/*", "+refs/heads/*:refs/heads/*"])
def test_in_a_mirror_a_pull_joins_and_replaces_nothing(rule: str, world: World, ann: Repo, bob: Repo) -> None:
    out(world, bob, "remember", "Tests need TZ=UTC.")
    out(world, bob, "push", "--yes")
    ann.git("config", "--add", "remote.origin.fetch", rule)
    out(world, ann, "remember", "Prices are rounded half to even.")

    assert "1 new memory from origin" in out(world, ann, "pull")

    assert ann.git("rev-list", "--count", f"refs/remotes/origin/lerim/memory..{REF}") != "0"
    titles = out(world, ann, "list")
    assert "Prices are rounded" in titles
    assert "Tests need" in titles


def test_a_remote_that_mirrors_gets_the_memory_and_nothing_else(world: World, ann: Repo, hub: Repo) -> None:
    hub.git("fetch", "-q", str(ann.path), "main:other")
    ann.git("config", "remote.origin.mirror", "true")
    out(world, ann, "remember", "Prices are rounded half to even.")

    out(world, ann, "push", "--yes")

    assert hub.git("for-each-ref", "--format=%(refname)").split("\n") == [REF, "refs/heads/other"]
