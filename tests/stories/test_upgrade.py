"""Newer rules read again what older ones extracted, and what they do not give goes, in one
commit.
"""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support.repos import Repo
from support.stores import store_at
from support.terminal import on_a_terminal
from support.world import CATALOG, World

from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Kind, Memory, Primitive, Source
from git_lerim.storage.base import Change, Snapshot

OLD = "4f0c1a2f-7c1e-4d0b-9a55-0e6f2b9d1c09"


def listed(world: World, repo: Repo, *options: str) -> dict[str, dict[str, Any]]:
    return {
        memory["id"]: memory for memory in world.lerim(repo.path, "list", "--json", *options).json
    }


def stale(world: World, repo: Repo, *titles: str) -> list[str]:
    """Let older rules have found more in the session than today's do; return the ids."""
    one, *_ = listed(world, repo).values()
    source = next(source for source in one["sources"] if source["session"] == CATALOG)
    records = tuple((first, last) for first, last in source["records"])
    created = store_at(repo.path).snapshot().memories[one["id"]].memory.created
    found = [
        Memory(
            id=naming.memory_id("claude", title, "learning", 1), primitive=Primitive.LEARNING,
            kind=Kind.FACT, title=title,
            body="It was said.",
            created=created, updated=created,
            sources=(Source(agent="claude", session=CATALOG, records=records),),
        )
        for title in titles
    ]  # fmt: skip

    def operation(_: Snapshot) -> Change:
        files = {naming.path_of(memory): frontmatter.render(memory) for memory in found}
        trailers = (
            ("Lerim-Op", "sync"),
            ("Lerim-Agent", "claude"),
            ("Lerim-Session", CATALOG),
            ("Lerim-Model", "rules"),
        )
        return Change(files=files, subject="sync: learnings from claude", trailers=trailers)

    store_at(repo.path).commit(operation)
    return [memory.id for memory in found]


def age(repo: Repo, *, transcripts_gone: bool = False) -> None:
    """Make it so that rules before today's extracted what the catalog knows."""
    with sqlite3.connect(repo.path / ".git" / "lerim" / "catalog.sqlite3") as catalog:
        catalog.execute("UPDATE sessions SET rules = 0")
    catalog.close()
    (repo.path / ".git" / "lerim" / "unchanged").unlink(missing_ok=True)
    if transcripts_gone:
        shutil.rmtree(repo.path / ".git" / "lerim" / "cache")


@pytest.fixture
def transcript(world: World, repo: Repo) -> Path:
    """Return the transcript of a session that was synced."""
    path = world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")
    return path


def test_what_the_new_rules_do_not_give_is_superseded_in_one_commit(
    world: World, repo: Repo, transcript: Path
) -> None:
    before = listed(world, repo)
    gone = stale(world, repo, "File is 112 lines", "Wait for results")
    age(repo)
    transcript.unlink()  # the cached text is enough, and so is a window that the session is not in

    synced = world.lerim(repo.path, "sync", "--window", "1d")

    assert synced.code == 0, synced.err
    assert listed(world, repo).keys() == before.keys()
    assert {
        id_: memory["status"] for id_, memory in listed(world, repo, "--all").items() if id_ in gone
    } == dict.fromkeys(gone, "superseded")
    assert (
        repo.git("log", "-1", "--format=%s", "lerim/memory")
        == f"supersede: 2 memories that rules {RULES_VERSION} no longer find"
    )
    commit = repo.git("rev-parse", "--short=12", "lerim/memory")
    assert (
        "that the new rules no longer find; to bring them back: git lerim undo"
        f" {commit}" in synced.err
    )
    assert synced.out.count(f"rules {RULES_VERSION} no longer find it") == 2
    again = world.lerim(repo.path, "sync", "--window", "1d", "--json").json
    assert (again["sessions_extracted"], again["commits"]) == (0, [])


def test_an_undo_brings_it_back_for_good(world: World, repo: Repo, transcript: Path) -> None:
    assert transcript.exists()
    gone = stale(world, repo, "File is 112 lines", "Wait for results")
    age(repo)
    world.lerim(repo.path, "sync")

    undone = world.lerim(repo.path, "undo", "lerim/memory")
    world.lerim(repo.path, "sync", "--window", "all")

    assert undone.code == 0, undone.err
    assert listed(world, repo).keys() >= set(gone)


def test_what_a_person_changed_stays(world: World, repo: Repo, transcript: Path) -> None:
    assert transcript.exists()
    edited, kept, gone = stale(
        world, repo, "File is 112 lines", "Wait for results", "Options listed"
    )
    world.lerim(repo.path, "edit", edited, "--title", "The file is long")
    world.lerim(repo.path, "protect", kept)
    age(repo)

    world.lerim(repo.path, "sync")

    assert {edited, kept} <= listed(world, repo).keys()
    assert gone not in listed(world, repo)


def test_a_dry_run_says_what_would_go_and_changes_nothing(
    world: World, repo: Repo, transcript: Path
) -> None:
    assert transcript.exists()
    (gone,) = stale(world, repo, "File is 112 lines")
    age(repo)
    tip = repo.git("rev-parse", "lerim/memory")

    told = world.lerim(repo.path, "sync", "--dry-run")

    assert f"- {gone}  File is 112 lines" in told.out
    assert repo.git("rev-parse", "lerim/memory") == tip
    assert gone in listed(world, repo)


def test_a_new_catalog_knows_by_the_commits_what_older_rules_extracted(
    world: World, repo: Repo, transcript: Path
) -> None:
    assert transcript.exists()
    gone = stale(world, repo, "File is 112 lines", "Wait for results")
    message = repo.git("log", "-1", "--format=%B", "lerim/memory").replace(
        "Lerim-Model: rules", "Lerim-Model: rules/0"
    )
    tree, parent = (
        repo.git("rev-parse", "lerim/memory^{tree}"),
        repo.git("rev-parse", "lerim/memory^"),
    )
    repo.git(
        "update-ref",
        "refs/heads/lerim/memory",
        repo.git("commit-tree", tree, "-p", parent, "-m", message),
    )
    shutil.rmtree(repo.path / ".git" / "lerim")

    world.lerim(repo.path, "sync", "--window", "all")

    assert not listed(world, repo).keys() & set(gone)
    assert (
        repo.git("log", "-1", "--format=%s", "lerim/memory")
        == f"supersede: 2 memories that rules {RULES_VERSION} no longer find"
    )


def test_a_transcript_that_lies_outside_the_window_is_read_where_the_cache_was_deleted(
    world: World, repo: Repo, transcript: Path
) -> None:
    assert transcript.exists()
    before = listed(world, repo)
    stale(world, repo, "File is 112 lines")
    age(repo, transcripts_gone=True)

    synced = world.lerim(repo.path, "sync", "--window", "1s")

    assert listed(world, repo).keys() == before.keys(), synced.err


def test_where_the_transcript_is_gone_nothing_goes_unasked_and_status_says_so(
    world: World, repo: Repo, transcript: Path
) -> None:
    before = {*listed(world, repo), *stale(world, repo, "File is 112 lines")}
    age(repo, transcripts_gone=True)
    transcript.unlink()

    synced = world.lerim(repo.path, "sync", "--window", "all")
    world.lerim(repo.path, "sync", "--window", "all", "--yes")

    assert "that the new rules could not check; git lerim status lists them" in synced.err
    assert listed(world, repo).keys() == before
    status = world.lerim(repo.path, "status")
    assert "File is 112 lines" in status.out
    assert "asks whether to keep them" in status.err
    assert {
        one["id"] for one in world.lerim(repo.path, "status", "--json").json["unchecked"]
    } == before


@pytest.mark.parametrize(("key", "left"), [("y", True), ("n", False)])
def test_on_a_terminal_the_user_is_asked_once(
    world: World,
    repo: Repo,
    transcript: Path,
    key: str,
    left: bool,  # noqa: FBT001 a table
) -> None:
    before = {*listed(world, repo), *stale(world, repo, "File is 112 lines")}
    age(repo, transcripts_gone=True)
    transcript.unlink()
    world.lerim(repo.path, "sync", "--window", "all")  # nobody is there

    code, said = on_a_terminal(repo.path, [b"q"], "sync", "--window", "all")
    assert (code, "so the new rules cannot check them" in said) == (0, True), said
    code, said = on_a_terminal(repo.path, [b"?", key.encode()], "sync", "--window", "all")
    assert (code, "n - supersede them" in said) == (0, True), said
    code, said = on_a_terminal(repo.path, [], "sync", "--window", "all")

    assert (code, "cannot check" in said) == (0, False)
    assert listed(world, repo).keys() == (before if left else set())
    assert world.lerim(repo.path, "status", "--json").json["unchecked"] == []
    if not left:
        world.lerim(repo.path, "undo", "lerim/memory")
        assert listed(world, repo).keys() == before


def test_a_colleagues_memories_are_no_business_of_an_upgrade(
    world: World, hub: Repo, ann: Repo, bob: Repo
) -> None:
    world.session("claude-catalog.jsonl", ann.path)
    world.lerim(ann.path, "sync", "--window", "all")
    stale(world, ann, "File is 112 lines")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    before = listed(world, bob)
    world.session("claude-rename.jsonl", bob.path, name=OLD)

    for _ in range(2):
        world.lerim(bob.path, "sync", "--window", "all")
        age(bob)

    assert hub.path.exists()
    assert len(before) > 1
    assert listed(world, bob).keys() == before.keys()
    assert world.lerim(bob.path, "status", "--json").json["unchecked"] == []


def test_what_the_user_decides_memory_by_memory_is_cleaned_up_first(
    world: World, repo: Repo, transcript: Path
) -> None:
    assert transcript.exists()
    repo.git("config", "lerim.sync", "ask")
    before = listed(world, repo)
    (gone,) = stale(world, repo, "File is 112 lines")
    age(repo)
    world.lerim(repo.path, "sync")

    assert gone in listed(world, repo)
    code, said = on_a_terminal(repo.path, [], "sync", "-i")

    assert code == 0, said
    assert listed(world, repo).keys() == before.keys()
