"""Memories are served where they hold: on their branch, and wherever it was merged to."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from support.repos import Repo
from support.stores import store_at
from support.world import World

from git_lerim.git.history.patches import patch_ids
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Memory, Origin, Primitive, Source
from git_lerim.storage.base import Change

CACHE = "TTL = 60\n\n\ndef cached(key):\n    return store.get(key, TTL)\n"
TITLE = "Cache pages for `TTL` = 60 seconds"


def learn(
    repo: Repo,
    *,
    origin: Origin = Origin.MODEL,
    branch: str = "feature",
    anchored: bool = True,
    at: str = "HEAD",
) -> None:
    """Keep what a session on a branch learned at a commit, of the code that is checked out."""
    learned, commit = repo.git("rev-parse", at), repo.git("rev-parse", "HEAD")
    patch = patch_ids(discover(repo.path, {}), [learned]).get(learned)
    anchor = Anchor(
        path="cache.py", lines=(1, 1), blob=repo.git("rev-parse", "HEAD:cache.py"), commit=commit
    )
    day = datetime(2026, 2, 20, tzinfo=UTC)
    memory = Memory(
        id=naming.memory_id("claude", "r1", "decision", 0), primitive=Primitive.DECISION,
        title=TITLE, body="Because it is fast.",
        created=day, updated=day, origin=origin, anchors=(anchor,) if anchored else (),
        sources=(Source(agent="claude", session="s1", records=((1, 2),), at=day, commit=learned,
                branch=branch, patch=patch),),
    )  # fmt: skip
    data = frontmatter.render(memory)
    store_at(repo.path).commit(
        lambda _: Change(files={naming.path_of(memory): data}, subject="sync: 1 decision")
    )


@pytest.fixture
def begun(repo: Repo) -> Repo:
    """Return a repository on a new branch, with what the first session there learned."""
    repo.commit({"cache.py": CACHE.replace("60", "30")}, "Cache pages")
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit({"cache.py": CACHE}, "Cache pages for a minute")
    learn(repo, at="HEAD~1")
    return repo


@pytest.fixture
def feature(repo: Repo) -> Repo:
    """Return a repository on a feature branch, with a memory of it."""
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit({"cache.py": CACHE.replace("60", "30")}, "Cache pages")
    repo.commit({"cache.py": CACHE}, "Cache pages for a minute")
    learn(repo)
    return repo


def served(world: World, repo: Repo) -> set[bool]:
    """Return whether the verbs that hand memories out have the memory: one answer, where
    all agree.
    """
    asked = (
        "list",
        "search cache pages",
        "ask how long are pages cached?",
        "brief",
        "why cache.py",
        "search cache pages",
    )
    answers = set()
    for line in asked:
        verb, _, rest = line.partition(" ")
        ran = world.lerim(repo.path, verb, *([rest] if rest else []))
        if verb != "why" or (repo.path / "cache.py").exists():
            answers.add(
                "Cache pages for `TTL`" in ran.out
                or "Cache pages for 60" in ran.out
                or "TTL" in ran.out
            )
    return answers


def test_a_memory_of_another_branch_stays_hidden_while_the_cache_is_locked(
    feature: Repo, world: World
) -> None:
    feature.git("checkout", "-q", "main")
    assert served(world, feature) == {False}
    path = feature.path / ".git/lerim/verdicts.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as cache:
        cache.execute("BEGIN EXCLUSIVE")
        assert served(world, feature) == {False}


def test_a_memory_of_a_branch_is_served_there_and_not_on_main(feature: Repo, world: World) -> None:
    assert served(world, feature) == {True}
    feature.git("checkout", "-q", "main")
    assert served(world, feature) == {False}

    assert (
        f"{TITLE}  (hidden: learned on feature)" in world.lerim(feature.path, "list", "--all").out
    )
    assert TITLE in world.lerim(feature.path, "list", "--branch", "feature").out
    assert world.lerim(feature.path, "list", "--branch", "main").code == 0
    refused = world.lerim(feature.path, "list", "--branch", "featur")
    assert (refused.code, "no branch featur" in refused.err) == (2, True)
    assert TITLE in world.lerim(feature.path, "search", "--all", "cache pages").out
    assert "waiting   1 memory on feature" in world.lerim(feature.path, "status").out
    (row,) = world.lerim(feature.path, "list", "--all", "--json").json
    assert row["hidden"] is True
    feature.git("checkout", "-q", "feature")
    assert served(world, feature) == {True}


def test_what_the_first_session_on_a_branch_learned_waits_for_its_change(
    begun: Repo, world: World
) -> None:
    assert served(world, begun) == {True}
    begun.git("checkout", "-q", "main")
    assert served(world, begun) == {False}
    begun.git("checkout", "-q", "-b", "other")
    begun.commit({"cache.py": CACHE.replace("60", "90")}, "Cache pages for longer")
    assert served(world, begun) == {False}
    begun.git("checkout", "-q", "main")
    # the same change, and another one beside it
    begun.git("cherry-pick", "feature")
    begun.commit({"cache.py": CACHE.replace("60", "45")}, "Cache pages for less")
    assert served(world, begun) == {True}
    begun.git("checkout", "-q", "feature")
    assert served(world, begun) == {True}


def test_a_commit_that_was_only_checked_out_hides_no_memory(repo: Repo, world: World) -> None:
    repo.commit({"cache.py": CACHE}, "Cache pages")
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit({"other.py": "x = 1\n"}, "Something else")
    learn(repo, at="HEAD~1", branch="main")
    repo.git("checkout", "-q", "-b", "third", "main")
    repo.commit({"cache.py": CACHE.replace("60", "90")}, "Cache pages for longer")
    assert served(world, repo) == {True}


@pytest.mark.parametrize(
    "commands",
    [
        ["merge -q --no-ff --no-edit feature"],
        ["merge -q --squash feature", "commit -q -m Squashed"],
        ["commit -q --allow-empty -m Meanwhile", "cherry-pick main..feature"],
    ],
    ids=["merge", "squash", "rebase"],
)
def test_what_was_merged_is_served_whatever_way_it_came(
    feature: Repo, world: World, commands: list[str]
) -> None:
    feature.git("checkout", "-q", "main")
    assert served(world, feature) == {False}
    for command in commands:
        feature.git(*command.split())
    feature.git("branch", "-q", "-D", "feature")
    assert served(world, feature) == {True}
    feature.commit({"cache.py": CACHE.replace("store", "pool")}, "Rename the store")
    assert served(world, feature) == {True}


def test_a_rebase_is_known_by_its_patches_alone(repo: Repo, world: World) -> None:
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit({"cache.py": CACHE}, "Cache pages for a minute")
    learn(repo, anchored=False)
    repo.git("checkout", "-q", "main")
    repo.commit({"other.py": "x = 1\n"}, "Meanwhile")
    assert TITLE not in world.lerim(repo.path, "list").out

    repo.git("rebase", "-q", "main", "feature")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--ff-only", "feature")
    repo.git("branch", "-q", "-D", "feature")

    assert TITLE in world.lerim(repo.path, "list").out


def test_a_squash_that_was_seen_keeps_its_memory_when_the_code_goes_on(
    feature: Repo, world: World
) -> None:
    feature.git("checkout", "-q", "main")
    feature.git("merge", "-q", "--squash", "feature")
    feature.git("commit", "-q", "-m", "Squashed")
    assert served(world, feature) == {True}
    feature.commit({"cache.py": CACHE.replace("TTL = 60", "TTL = 90")}, "Cache longer")
    ran = world.lerim(feature.path, "list")
    assert "(stale since " in ran.out


def test_a_branch_that_is_deleted_unmerged_takes_its_memory_out(
    feature: Repo, world: World
) -> None:
    feature.git("checkout", "-q", "main")
    feature.git("branch", "-q", "-D", "feature")
    assert served(world, feature) == {False}
    feature.git("reflog", "expire", "--expire=now", "--all")
    feature.git("gc", "-q", "--prune=now")
    feature.commit({"more.py": "x = 1\n"}, "Go on")
    assert served(world, feature) == {False}  # its commit is gone, but it was known here


def test_what_a_person_said_and_what_is_unknown_here_is_served_everywhere(
    repo: Repo, world: World
) -> None:
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit({"cache.py": CACHE}, "Cache pages")
    learn(repo, origin=Origin.HUMAN)
    repo.git("checkout", "-q", "main")
    assert served(world, repo) == {True}


def test_a_memory_of_a_commit_that_is_not_here_is_served(feature: Repo, world: World) -> None:
    feature.git("checkout", "-q", "main")
    clone = Repo(feature.path.parent / "clone")
    feature.git("clone", "-q", "--single-branch", f"file://{feature.path}", str(clone.path))
    clone.git("fetch", "-q", "origin", "lerim/memory:lerim/memory")
    assert served(world, clone) == {True}


def test_each_work_tree_sees_its_own(feature: Repo, world: World) -> None:
    feature.git("checkout", "-q", "main")
    feature.git("worktree", "add", "-q", str(feature.path.parent / "linked"), "feature")
    linked = Repo(feature.path.parent / "linked")
    assert served(world, linked) == {True}
    assert served(world, feature) == {False}
    assert served(world, linked) == {True}
    assert json.loads(world.lerim(linked.path, "status", "--json").out)["hidden"] == {}
