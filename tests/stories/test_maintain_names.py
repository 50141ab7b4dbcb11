"""Maintenance says who shared the memories that it tells about."""

import pytest
from support.inside import lerim
from support.memories import from_session
from support.repos import Repo
from support.stores import put
from support.team import shared

from git_lerim.memories.memory import Origin

SAYS = "Keep the session catalog in SQLite"
WHY = "The session catalog lies in SQLite, because two writers lost rows of the JSON files."


@pytest.mark.parametrize("words", [["--dry-run"], []])
def test_a_merge_names_the_colleague_who_shared_the_parts(
    words: list[str], ann: Repo, bob: Repo
) -> None:
    put(
        bob,
        from_session("a", 20, title=SAYS, body=WHY, origin=Origin.RULES),
        from_session("b", 10, title=f"Always {SAYS.lower()}", body=WHY, origin=Origin.RULES),
    )
    shared(bob)
    lerim(ann.path, "pull")

    told = lerim(ann.path, "maintain", *words).out

    assert f"merge 2 memories: from Ada Tester: {SAYS}\n" in told
    assert f"  from Ada Tester: {SAYS}\n" in told


def test_a_contradiction_names_the_colleague_who_shared_it(ann: Repo, bob: Repo) -> None:
    put(
        bob,
        from_session("a", 30, title="Use Redis for the job queue", origin=Origin.HUMAN),
        from_session("b", 3, title="Use RabbitMQ for the job queue", origin=Origin.RULES),
    )
    shared(bob)
    lerim(ann.path, "pull")

    for words in (["maintain", "--dry-run"], ["maintain"], ["maintain"], ["review"]):
        told = lerim(ann.path, *words)
        assert "from Ada Tester: Use Redis for the job queue" in told.out + told.err
