from support.repos import Repo
from support.world import World


def test_a_memory_and_the_summary_of_its_session_are_told_apart(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")

    undone = world.lerim(repo.path, "undo", "--yes").out.splitlines()

    summaries = [line for line in undone if "  session summary: " in line]
    assert (len(summaries), len(undone) > 1) == (1, True)


def test_an_undo_after_an_undo_says_that_it_goes_further_back(world: World, repo: Repo) -> None:
    for text in ("Money is kept as integer cents.", "Deploys are by hand.", "Mail is queued."):
        world.lerim(repo.path, "remember", text)
    first = world.lerim(repo.path, "undo").err
    world.lerim(repo.path, "undo", "--yes")
    made = repo.git("rev-parse", "lerim/memory")[:12]

    second = world.lerim(repo.path, "undo").err

    assert "older than the last undo" not in first
    assert f"older than the last undo; to take that back: git lerim undo {made}" in second
    assert "Deploys are by hand" in second
    assert world.lerim(repo.path, "undo", made).code == 0
    assert "Mail is queued" in world.lerim(repo.path, "list").out


def test_a_sync_says_that_it_created_the_branch(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)

    first = world.lerim(repo.path, "sync", "--window", "all").err
    second = world.lerim(repo.path, "sync", "--window", "all").err

    assert "created the branch lerim/memory for the memory\n" in first
    assert "created" not in second
