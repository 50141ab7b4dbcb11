"""Many memories are archived at once, and one undo takes that back."""

from typing import Any

import pytest
from support.claude import ID, Recording
from support.repos import Repo
from support.terminal import on_a_terminal
from support.world import World

OTHER = "7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02"


def listed(world: World, repo: Repo) -> dict[str, dict[str, Any]]:
    return {memory["id"]: memory for memory in world.lerim(repo.path, "list", "--json").json}


def of(memories: dict[str, dict[str, Any]], session: str) -> set[str]:
    return {id_ for id_, memory in memories.items() if memory["sources"][0]["session"] == session}


@pytest.fixture
def run(world: World, repo: Repo) -> str:
    """Return the run that kept what two sessions held."""
    Recording(world.home, str(repo.path)).prompt("Never push to main directly.").reply(
        "All right."
    ).prompt("From now on always run the linter before each commit.").reply("All right.")
    Recording(world.home, str(repo.path), id=OTHER).prompt(
        "Never store money as a floating point number."
    ).reply("All right.")
    report = world.lerim(repo.path, "sync", "--window", "all", "--json").json
    assert report["learnings_added"] == 3
    return str(report["run_id"])


def test_the_memories_of_a_session_are_archived_in_one_commit_that_undo_takes_back(
    world: World, repo: Repo, run: str
) -> None:
    before, tip = listed(world, repo), repo.git("rev-parse", "lerim/memory")

    done = world.lerim(repo.path, "forget", "--session", f"claude/{ID[:6]}", "--yes")

    assert (done.code, bool(run)) == (0, True)
    assert {line[:13] for line in done.out.splitlines()} == of(before, ID)
    assert listed(world, repo).keys() == of(before, OTHER)
    assert repo.git("rev-parse", "lerim/memory^") == tip
    assert "Archived 2 memories; to bring them back: git lerim undo" in done.err
    world.lerim(repo.path, *done.err.partition(": git lerim ")[2].split())
    assert listed(world, repo).keys() == before.keys()


@pytest.mark.parametrize("by", ["session", "run", "agent"])
def test_the_summary_of_a_session_is_archived_with_its_memories(
    by: str, world: World, repo: Repo
) -> None:
    Recording(world.home, str(repo.path)).prompt("Never push to main directly.").reply(
        "All right. Whatever goes to main is reviewed by somebody else in a pull request first."
    )
    run = world.lerim(repo.path, "sync", "--window", "all", "--json").json["run_id"]
    options = {"session": ID, "run": run, "agent": "claude"}

    rehearsed = world.lerim(repo.path, "forget", f"--{by}", options[by], "--dry-run")
    done = world.lerim(repo.path, "forget", f"--{by}", options[by], "--yes")

    files = repo.git("ls-tree", "-r", "--name-only", "lerim/memory").splitlines()
    assert "1 memory and 1 session summary would be archived" in rehearsed.err
    assert "Archived 1 memory and 1 session summary; to bring them back" in done.err
    (line,) = (line for line in done.out.splitlines() if "session summary: " in line)
    assert "git lerim restore ID" in done.err
    assert world.lerim(repo.path, "show", line[:13]).code == 0
    assert not any(name.startswith(("summaries", "learnings")) for name in files)
    world.lerim(repo.path, *done.err.partition(": git lerim ")[2].splitlines()[0].split())
    files = repo.git("ls-tree", "-r", "--name-only", "lerim/memory").splitlines()
    assert {name.split("/")[0] for name in files if name.count("/") > 1} == {
        "summaries",
        "learnings",
    }


def test_the_memories_of_a_run_and_of_an_agent_before_a_date_are_archived(
    world: World, repo: Repo, run: str
) -> None:
    assert (
        world.lerim(repo.path, "forget", "--agent", "claude", "--before", "2026-02-20", "--yes").err
        == "no matching memories\n"
    )
    assert (
        len(
            world.lerim(
                repo.path, "forget", "--agent", "claude", "--before", "2026-02-21", "--dry-run"
            ).out.splitlines()
        )
        == 3
    )

    done = world.lerim(repo.path, "forget", "--run", run.rpartition("-")[2], "--yes", "--json")

    assert len(done.json["ids"]) == 3
    assert done.json["commit"] == repo.git("rev-parse", "lerim/memory")
    assert listed(world, repo) == {}
    assert world.lerim(repo.path, "forget", "--run", run, "--yes", "--json").json == {
        "ids": [],
        "summaries": [],
        "commit": None,
    }


def test_a_dry_run_and_no_answer_change_nothing(world: World, repo: Repo, run: str) -> None:
    before = listed(world, repo)

    dry = world.lerim(repo.path, "forget", "--run", run, "--dry-run", "--json")
    unasked = world.lerim(repo.path, "forget", "--run", run)
    code, said = on_a_terminal(repo.path, [], "forget", "--run", "nothing-like-it")

    assert set(dry.json["ids"]) == before.keys()
    assert (unasked.code, "archive 3 memories?" in unasked.err) == (1, True)
    assert (code, "no run with memories is called" in said) == (1, True)
    assert listed(world, repo).keys() == before.keys()


def test_a_dry_run_of_ids_names_them_and_archives_none(world: World, repo: Repo, run: str) -> None:
    one, two, _ = listed(world, repo)
    world.lerim(repo.path, "forget", two)

    dry = world.lerim(repo.path, "forget", one, one, two, "--dry-run")

    assert (dry.code, [line[:13] for line in dry.out.splitlines()], bool(run)) == (0, [one], True)
    assert "1 memory would be archived" in dry.err
    assert len(listed(world, repo)) == 2


def test_what_is_protected_stays_and_is_named(world: World, repo: Repo, run: str) -> None:
    kept = next(iter(listed(world, repo)))
    world.lerim(repo.path, "protect", kept)

    done = world.lerim(repo.path, "forget", "--run", run, "--yes")

    assert f"skipped {kept}: it is protected" in done.err
    assert listed(world, repo).keys() == {kept}


@pytest.mark.parametrize(
    "words",
    [(), ("--before", "2026-01-01"), ("abcd", "--agent", "claude"),
        ("--agent", "nobody"),
     ("--session", ""), ("--agent", "claude", "--before", "some day")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(
    world: World, repo: Repo, run: str, words: tuple[str, ...]
) -> None:
    refused = world.lerim(repo.path, "forget", *words)

    assert (refused.code, refused.out, bool(run)) == (2, "", True)
    assert len(listed(world, repo)) == 3


@pytest.mark.parametrize("option", ["--session", "--run"])
def test_a_session_or_run_that_is_unknown_is_no_usage_error(
    world: World, repo: Repo, run: str, option: str
) -> None:
    refused = world.lerim(repo.path, "forget", option, "zzz")

    assert (refused.code, refused.out, bool(run)) == (1, "", True)
