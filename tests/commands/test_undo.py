from support.repos import Repo
from support.world import World


def test_a_memory_and_the_summary_of_its_session_are_told_apart(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "sync", "--window", "all")

    undone = world.lerim(repo.path, "undo", "--yes").out.splitlines()

    summaries = [line for line in undone if "  session summary: " in line]
    assert (len(summaries), len(undone) > 1) == (1, True)
