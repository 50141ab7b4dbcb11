"""What a person said of a memory stays with its words, whatever order newer rules find them in."""

import sqlite3
from dataclasses import replace

import pytest
from support.claude import Recording
from support.repos import Repo
from support.stores import store_at
from support.world import World

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage.base import Change, Snapshot

TABS = "Always indent with tabs in this repository"
PUSH = "Never push to main directly"


@pytest.fixture
def ids(world: World, repo: Repo) -> dict[str, str]:
    """Sync a prompt with two wishes; return the ids by title, as older rules gave them.

    They had found the two in the other order.
    """
    Recording(world.home, str(repo.path)).prompt(f"{TABS}. {PUSH}.").reply("Understood.")
    world.lerim(repo.path, "sync", "--window", "all")

    def swapped(snapshot: Snapshot) -> Change:
        one, other = snapshot.memories.values()
        files: dict[str, bytes | None] = {one.path: None, other.path: None}
        for memory, ident in ((one.memory, other.memory.id), (other.memory, one.memory.id)):
            moved = replace(memory, id=ident)
            files[naming.path_of(moved)] = frontmatter.render(moved)
        return Change(files=files, subject="sync: as older rules did")

    store_at(repo.path).commit(swapped)
    return {title: id_ for id_, title in listed(repo).items()}


def listed(repo: Repo, *statuses: str) -> dict[str, str]:
    stored = store_at(repo.path).snapshot().memories.values()
    return {
        item.memory.id: item.memory.title
        for item in stored
        if not statuses or item.memory.status in statuses
    }


def upgrade(world: World, repo: Repo) -> None:
    """Let the sync read again what it takes to be read by older rules."""
    with sqlite3.connect(repo.path / ".git" / "lerim" / "catalog.sqlite3") as catalog:
        catalog.execute("UPDATE sessions SET rules = 0")
    catalog.close()
    (repo.path / ".git" / "lerim" / "unchanged").unlink(missing_ok=True)
    synced = world.lerim(repo.path, "sync", "--window", "all")
    assert synced.code == 0, synced.err


def test_each_memory_keeps_its_id(world: World, repo: Repo, ids: dict[str, str]) -> None:
    upgrade(world, repo)

    assert listed(repo, "active") == {ids[TABS]: TABS, ids[PUSH]: PUSH}


@pytest.mark.parametrize("forgotten", [TABS, PUSH])
def test_a_forgotten_memory_stays_forgotten_and_the_other_stays(
    world: World, repo: Repo, ids: dict[str, str], forgotten: str
) -> None:
    world.lerim(repo.path, "forget", ids[forgotten])

    upgrade(world, repo)

    (kept,) = {TABS, PUSH} - {forgotten}
    assert listed(repo, "active") == {ids[kept]: kept}
    assert listed(repo, "archived") == {ids[forgotten]: forgotten}


def test_an_edited_memory_stays_as_it_was_edited(
    world: World, repo: Repo, ids: dict[str, str]
) -> None:
    world.lerim(repo.path, "edit", ids[TABS], "--title", "Indentation is by tabs")

    upgrade(world, repo)

    assert listed(repo, "active") == {ids[TABS]: "Indentation is by tabs", ids[PUSH]: PUSH}
