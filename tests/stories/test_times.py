"""Times are told to people in local time, by minutes, wherever they are told; JSON has
them in UTC.
"""

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
    verbs = (
        ("log",),
        ("status",),
        ("logs",),
        ("sessions",),
        ("sessions", "show", session["name"]),
        ("show", memory["id"]),
    )
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


def test_the_day_of_a_commit_is_that_of_its_local_time(world: World, repo: Repo) -> None:
    late = "2026-02-20T23:30:00Z"
    ident = world.lerim(
        repo.path, "remember", "Deploy on Fridays.", "--json", env={"GIT_COMMITTER_DATE": late}
    ).json["id"]
    (repo.path / "late.py").write_text("late = True\n")
    repo.git("add", "late.py")
    repo.git("commit", "-q", "-m", "Work late", when=late)

    for zone, day in (("UTC", "2026-02-20"), ("EET-2", "2026-02-21")):
        assert f" {day} " in world.lerim(repo.path, "blame", ident, env={"TZ": zone}).out
        assert f" {day} " in world.lerim(repo.path, "why", "late.py", env={"TZ": zone}).out
        assert f" {day} " in world.lerim(repo.path, "log", env={"TZ": zone}).out
        assert f" to {day}\n" in world.lerim(repo.path, "stats", env={"TZ": zone}).out


@pytest.mark.parametrize("seconds", [2**63 - 1, 2**64 - 1, 99_999_999_999_999])
def test_a_commit_of_any_time_stops_no_verb(seconds: int, world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    parent = repo.commit({"docs/notes.md": "- Always use tabs.\n"}, "Write notes")
    (repo.path / "docs/notes.md").write_text("- Always use two spaces.\n")
    repo.git("add", "docs/notes.md")
    tree, who = repo.git("write-tree"), f"E <e@example.org> {seconds} +0000"
    made = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nChange it\n"
    late = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=made)
    repo.git("update-ref", "HEAD", late)

    for words in (
        ("sync", "--window", "all"),
        ("why", "docs/notes.md"),
        ("why", "docs/notes.md:1", "--json"),
        ("import", "docs/notes.md"),
        ("stale",),
        ("maintain",),
    ):
        ran = world.lerim(repo.path, *words)
        assert ran.code == 0, (words, ran.err)
