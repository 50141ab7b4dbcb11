"""Times are told to people in local time, by minutes, wherever they are told; JSON has them in UTC."""

import re

import pytest
from support.repos import Repo
from support.world import World

ZONE = {"TZ": "EET-2"}
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:")
TOLD = re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b")


@pytest.fixture
def told(world: World, repo: Repo) -> Repo:
    """Return a repository with a synced session, a handoff, and a proposal."""
    world.session("claude-catalog.jsonl", repo.path)
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    assert world.lerim(repo.path, "handoff", "begin", "Go on.").code == 0
    assert world.lerim(repo.path, "remember", "Words that wait.", "--propose").code == 0
    return repo


def test_every_verb_that_tells_a_time_tells_it_in_the_same_way(world: World, told: Repo) -> None:
    session = world.lerim(told.path, "sessions", "--json").json[0]
    memory = next(row for row in world.lerim(told.path, "list", "--json").json if row["sources"])
    verbs = ("log",), ("status",), ("logs",), ("sessions",), ("sessions", "show", session["name"]), ("show", memory["id"])
    others = ("handoff", "list"), ("review",), ("review", "show")

    for words in (*verbs, *others):
        ran = world.lerim(told.path, *words, env=ZONE)
        assert ran.code == 0, ran.err
        assert TOLD.search(ran.out), words
        assert not ISO.search(ran.out), words
        assert "UTC" not in ran.out or words[0] == "show", words


def test_the_same_time_is_local_for_people_and_utc_in_json(world: World, told: Repo) -> None:
    commit = world.lerim(told.path, "log", "--json", env=ZONE).json[0]
    day, clock = commit["at"][:10], commit["at"][11:16]
    hour = f"{(int(clock[:2]) + 2) % 24:02}{clock[2:]}"

    assert commit["at"].endswith("Z")
    assert hour in world.lerim(told.path, "log", "-n", "1", env=ZONE).out
    assert f"{day} {clock}" in world.lerim(told.path, "log", "-n", "1", env={"TZ": "UTC"}).out
