"""A handoff that a colleague claimed is still by the person who wrote its text."""

from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo, cloned
from support.team import acting, shared


@pytest.fixture
def id_(ann: Repo, bob: Repo) -> str:
    """Return the ID of a handoff that Ada began and Bob claimed."""
    begun = lerim(ann.path, "handoff", "begin", "The user wants the lexer in C.").out.split()[0]
    shared(ann)
    with acting("Bob"):
        lerim(bob.path, "pull")
        assert lerim(bob.path, "handoff", "claim", begun).code == 0
        shared(bob)
    return begun


def test_a_claimed_handoff_stays_the_users(id_: str, ann: Repo) -> None:
    pulled = lerim(ann.path, "pull").out
    assert "from Bob" not in pulled
    assert "was claimed by Bob <bob@example.org>" in pulled

    for change in ((), ("pull", "--accept", "all"), ("forget", id_), ("restore", id_)):
        lerim(ann.path, *change)
        shown = lerim(ann.path, "handoff", "show", id_).out
        assert f"Handoff {id_} from Ada Tester, " in shown
        assert "not the user" not in shown
        assert "The user wants the lexer" in shown


def test_a_third_person_sees_who_wrote_a_claimed_handoff(
    id_: str, hub: Repo, tmp_path: Path
) -> None:
    carol = cloned(hub, tmp_path / "carol")
    with acting("Carol"):
        pulled = lerim(carol.path, "pull").out
        shown = lerim(carol.path, "handoff", "show", id_).out
        (row,) = lerim(carol.path, "handoff", "list", "--all", "--json").json

    assert f"{id_}  from Ada Tester: " in pulled
    assert f"Handoff {id_} from Ada Tester, not the user" in shown
    assert "Ada Tester wants the lexer" in shown
    assert row["claimed_by"]["who"] == "Bob <bob@example.org>"
