"""What a person put away, no agent writes again, however much was put away."""

import pytest
from support.inside import lerim
from support.memories import memory
from support.repos import Repo
from support.stores import decision, put

from git_lerim.memories.memory import Origin, Primitive, Status
from git_lerim.memories.similarity.claim import claim

SAID = "The parser reads the table of units once at the start"
SAME = "The parser reads the table of units only once at the start."


@pytest.fixture
def crowded(repo: Repo) -> Repo:
    """Return a repository with one memory that a person archived among 400 others."""
    one = memory(
        primitive=Primitive.LEARNING, title=SAID, origin=Origin.HUMAN, sources=(),
        status=Status.ARCHIVED,
    )  # fmt: skip
    others = (decision(n, f"Keep thing {n} in the drawer of room {n}") for n in range(400))
    put(repo, one, *(each.having(status=Status.ARCHIVED) for each in others))
    return repo


def test_what_says_the_same_is_found_among_many(
    crowded: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    done = lerim(crowded.path, "remember", SAME)

    assert (done.code, "says the same as" in done.err) == (1, True)


def test_an_agent_s_memory_is_compared_only_with_what_has_words_of_it(
    crowded: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    claim.cache_clear()

    done = lerim(crowded.path, "remember", "The crane lifts the blue container with a hook.")

    assert done.code == 0
    assert claim.cache_info().misses < 20
