"""What a person is told of a memory written by hand."""

from support.repos import Repo
from support.world import World

SAID = "The staging box takes AKIAIOSFODNN7EXAMPLZ, because nobody made another key."


def test_no_secret_is_counted_where_nothing_is_written(world: World, repo: Repo) -> None:
    first, second = (world.lerim(repo.path, "remember", SAID) for _ in range(2))

    assert first.out == second.out
    assert first.err.endswith("1 secret blanked before it was written\n")
    assert second.err == f"nothing changed: {first.out.split()[0]} says it already\n"
