"""A bad object of an old state takes no memory along that was written later."""

import os

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import adding, put, store_at
from support.world import World

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories.memory import Kind, Memory, Primitive
from git_lerim.storage.branch import salvage
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog

MEMORY = "refs/heads/lerim/memory"
LATER = ("The lexer is handwritten", "The printer is generated")


def lesson(title: str) -> Memory:
    id_ = f"{title[4:9]:b<13}".translate(str.maketrans({" ": "b", "1": "b", "8": "b"}))
    return memory(
        id=id_, primitive=Primitive.LEARNING, kind=Kind.FACT, title=title, body=f"{title}."
    )


def empty(repo: Repo, name: str) -> None:
    """Leave the file of an object as a crash can leave it."""
    path = repo.path / ".git/objects" / name[:2] / name[2:]
    path.chmod(0o600)
    path.write_bytes(b"")


@pytest.fixture
def broken(repo: Repo) -> Repo:
    """Return a repository that lost a folder of decisions, and learned two things afterwards."""
    put(repo, lesson("The first lesson"))
    store_at(repo.path).commit(adding(1))
    for title in LATER:
        put(repo, lesson(title))
    empty(repo, repo.git("rev-parse", f"{MEMORY}:decisions/2026-02"))
    return repo


def test_later_memories_stay_and_are_still_made_here(broken: Repo) -> None:
    authors = broken.git("log", "-2", "--format=%an %ae %at%n%B", MEMORY)
    store = store_at(broken.path)

    held = {item.memory.title for item in store.snapshot().memories.values()}

    assert held == {"The first lesson", *LATER}
    assert "2 later commits made again from what is left" in store.warnings[0]
    assert broken.git("log", "-2", "--format=%an %ae %at%n%B", MEMORY) == authors
    own = own_by_reflog(discover(broken.path, os.environ), MEMORY)
    assert all(own.get(each) for each in broken.git("log", "-2", "--format=%H", MEMORY).split())


def test_git_can_tidy_up_and_check_the_repository_again(broken: Repo) -> None:
    store_at(broken.path).snapshot()
    broken.git("gc", "-q", "--prune=now")

    titles = {item.memory.title for item in store_at(broken.path).snapshot().memories.values()}

    assert titles == {"The first lesson", *LATER}
    broken.git("fsck", "--connectivity-only")


def test_what_was_deleted_later_stays_deleted(broken: Repo) -> None:
    place = discover(broken.path, os.environ)
    good = broken.git("rev-parse", f"{MEMORY}~3")
    left = (row for row in broken.git("ls-tree", good).splitlines() if "learnings" not in row)
    gone = broken.git("mktree", stdin="\n".join(left))
    commit = broken.git("commit-tree", gone, "-p", good, "-m", "forget")

    (redone,) = salvage.redo(open_objects(place), good, commit)

    assert broken.git("ls-tree", "-r", "--name-only", redone.commit, "learnings") == ""


def test_nobody_is_said_to_have_made_what_cannot_be_told_apart(repo: Repo) -> None:
    put(repo, lesson("The first lesson"))
    good = repo.git("rev-parse", MEMORY)
    for title in LATER:
        put(repo, lesson(title))
    empty(repo, repo.git("rev-parse", f"{MEMORY}~1^{{tree}}"))
    objects = open_objects(discover(repo.path, os.environ))

    (redone,) = salvage.redo(objects, good, repo.git("rev-parse", MEMORY))

    assert not redone.known
    assert "The printer" in repo.git("grep", "-h", "^title", redone.commit)


def test_a_user_goes_on_with_the_memories_that_are_left(broken: Repo, world: World) -> None:
    said = world.lerim(broken.path, "remember", "The cache is cold").err
    rows = world.lerim(broken.path, "list", "--json").json

    assert "2 later commits made again" in said
    assert {row["title"] for row in rows} == {"The first lesson", *LATER, "The cache is cold"}
    assert " from " not in world.lerim(broken.path, "list").out
