"""The rules quoted the user. The session grows, and a model reads it: the user's own words stay,
unless the user took them back.
"""

from typing import Any

import pytest
from support.chat import Endpoint, completion, record_of, reply
from support.claude import Recording
from support.repos import Repo
from support.world import World

WISH = "Always indent with tabs in this project."
BACK = "Forget the tabs: indent with spaces in this project from now on."
TESTS = "Now run the tests."
SPACES = "Indent with spaces instead of tabs in this project"
STAYS = "the user's own words stay, since no later record of theirs is named"


@pytest.fixture
def wish(world: World, repo: Repo) -> dict[str, Any]:
    """Return the memory that the rules made of the user's words."""
    recording(world, repo).prompt(WISH).reply("Done, with tabs.")
    world.lerim(repo.path, "sync", "--window", "all", "--no-model")
    (row,) = listed(world, repo)
    assert row["origin"] == "human"
    return row


def recording(world: World, repo: Repo, lines: int = 0) -> Recording:
    found = Recording(world.home, str(repo.path))
    found.lines = lines
    return found


def listed(world: World, repo: Repo, *words: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = world.lerim(repo.path, "list", "--json", *words).json
    return rows


def grows(world: World, repo: Repo, endpoint: Endpoint, said: str, **answer: Any) -> Any:
    """Let the user say something more, and a model read the session; return the run's report."""
    recording(world, repo, 2).prompt(said).reply("All tests pass.")
    endpoint.answer = lambda request: completion(
        reply(*([answer["memory"](request)] if "memory" in answer else []), known=answer["known"])
    )
    ran = world.lerim(repo.path, "sync", "--window", "all", "--json")
    assert ran.code == 0, ran.err
    return ran.json


def spaces(request: dict[str, Any], quote: str = WISH, **more: Any) -> dict[str, Any]:
    record = record_of(request, quote)
    return {
        "records": [record], "quote": quote, "final_record": record, "basis": "user_decided",
        "type": "preference", "title": SPACES, "body": f"{SPACES}.", "files": [],
        "value": "essential", "revises": "",
    } | more  # fmt: skip


def known(verdict: str, *records: int) -> list[dict[str, Any]]:
    return [{"id": "K1", "verdict": verdict, "records": list(records)}]


@pytest.mark.parametrize("records", [[], [1], [1, 2], [4], [99]])
def test_a_model_takes_no_wish_back_that_the_user_did_not_take_back(
    world: World, repo: Repo, endpoint: Endpoint, wish: dict[str, Any], records: list[int]
) -> None:
    done = grows(world, repo, endpoint, TESTS, known=known("withdraw", *records))

    assert listed(world, repo) == [wish]
    assert "K1 is the user's own words" in endpoint.texts[-1]
    logged = world.lerim(repo.path, "logs", done["run_id"]).out
    assert STAYS in logged
    assert wish["title"] in logged


@pytest.mark.parametrize("revises", ["K1", ""])
def test_a_model_rewords_no_wish(
    world: World, repo: Repo, endpoint: Endpoint, wish: dict[str, Any], revises: str
) -> None:
    grows(
        world, repo, endpoint, TESTS,
        known=known("change" if revises else "keep", 1),
        memory=lambda request: spaces(request, revises=revises),
    )  # fmt: skip

    assert listed(world, repo, "--all") == [wish]


def test_what_the_user_took_back_a_model_may_withdraw(
    world: World, repo: Repo, endpoint: Endpoint, wish: dict[str, Any]
) -> None:
    grows(world, repo, endpoint, BACK, known=known("withdraw", 3))

    (row,) = listed(world, repo, "--all")
    assert (row["id"], row["status"], row["body"]) == (wish["id"], "superseded", wish["body"])
    assert len(endpoint.asked) == 1


def test_what_the_user_changed_gets_a_memory_of_its_own(
    world: World, repo: Repo, endpoint: Endpoint, wish: dict[str, Any]
) -> None:
    grows(
        world, repo, endpoint, BACK,
        known=known("change", 3), memory=lambda request: spaces(request, BACK, revises="K1"),
    )  # fmt: skip

    (new,) = listed(world, repo)
    rows = {row["id"]: row for row in listed(world, repo, "--all")}
    assert (new["title"], new["origin"]) == (SPACES, "model")
    assert rows.keys() == {new["id"], wish["id"]}
    assert (rows[wish["id"]]["status"], rows[wish["id"]]["body"]) == ("superseded", wish["body"])


def test_a_model_is_told_which_memories_are_the_users_own_words(
    world: World, repo: Repo, endpoint: Endpoint, wish: dict[str, Any]
) -> None:
    grows(world, repo, endpoint, TESTS, known=known("keep"))

    assert "K1 (preference, records 1; the user's own words): " in endpoint.texts[0]
    assert listed(world, repo) == [wish]
