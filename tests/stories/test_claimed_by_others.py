"""A handoff that a colleague claimed is still by the person who wrote its text."""

from contextlib import chdir
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo, cloned
from support.team import REF, acting, path_of, remember, shared

from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace


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


def test_a_claim_does_not_wait_for_review(ann: Repo, bob: Repo) -> None:
    begun = lerim(ann.path, "handoff", "begin", "Write the encoder.").out.split()[0]
    shared(ann)
    bob.git("config", "lerim.review", "proposal")
    with acting("Bob"):
        lerim(bob.path, "pull")
        assert lerim(bob.path, "handoff", "claim").code == 0
        assert lerim(bob.path, "handoff", "claim").code == 1
        assert f"{begun}  " in lerim(bob.path, "handoff", "list", "--all").out
        assert "no proposals" in lerim(bob.path, "review").err
        shared(bob)

    pulled = lerim(ann.path, "pull").out

    assert "was claimed by Bob <bob@example.org>" in pulled
    assert "was claimed by Bob" in lerim(ann.path, "handoff", "claim", begun).err


def test_a_handoff_begun_or_cancelled_does_not_wait_for_review(ann: Repo, bob: Repo) -> None:
    old = lerim(ann.path, "handoff", "begin", "Write the encoder.").out.split()[0]
    shared(ann)
    lerim(bob.path, "pull")
    bob.git("config", "lerim.review", "proposal")
    assert lerim(bob.path, "handoff", "cancel", old).code == 0
    new = lerim(bob.path, "handoff", "begin", "Write the decoder.").out.split()[0]
    remember(bob, "The lexer is in C.")
    assert [row["id"] for row in lerim(bob.path, "handoff", "list", "--json").json] == [new]
    assert "Write the" not in lerim(bob.path, "review", "show").out
    shared(bob)

    lerim(ann.path, "pull")

    assert "was cancelled" in lerim(ann.path, "handoff", "claim", old).err
    assert f"claimed {new}" in lerim(ann.path, "handoff", "claim").err
    assert "The lexer" not in lerim(ann.path, "list").out


def test_what_the_users_proposal_does_to_a_handoff_counts_for_a_claim(ann: Repo, bob: Repo) -> None:
    shared_one, other = (
        lerim(ann.path, "handoff", "begin", f"Write the {what}.").out.split()[0]
        for what in ("encoder", "decoder")
    )
    path = path_of(ann, other)
    text = f"{ann.git('show', f'{REF}:{path}')}\n"
    ann.git("update-ref", REF, f"{REF}^")
    shared(ann)
    lerim(bob.path, "pull")
    bob.git("config", "lerim.review", "proposal")
    assert lerim(bob.path, "forget", shared_one).code == 0
    with chdir(bob.path):
        ws = open_workspace()
        ws.store.commit(lambda _: Change(files={path: text.encode()}, subject="put"))

    archived = lerim(bob.path, "handoff", "claim", shared_one)
    claimed = lerim(bob.path, "handoff", "claim")

    assert "was cancelled" in archived.err
    assert f"claimed {other}" in claimed.err
    assert "Write the decoder" in lerim(bob.path, "review", "show").out


def test_a_handoff_for_another_agent_is_not_offered_for_a_claim(ann: Repo) -> None:
    id_ = lerim(ann.path, "handoff", "begin", "Page half done.", "--to", "cursor").out.split()[0]

    refused = lerim(ann.path, "handoff", "claim", "--agent", "codex").err

    assert "no handoff is open for codex on main" in refused
    assert "1 can be claimed only by another agent" in refused
    assert "by ID" not in refused
    assert "is for cursor" in lerim(ann.path, "handoff", "claim", id_, "--agent", "codex").err
