"""What `git lerim maintain` asks a model, and what becomes of its answer, in real repositories."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from support.chat import Endpoint, Said, completion
from support.inside import lerim
from support.memories import from_session
from support.repos import Repo
from support.stores import put, stored

from git_lerim.memories.memory import Kind, Memory, Origin, Primitive, Status

FIRST = "The session catalog lives in a SQLite file beside the code"
AGAIN = "Catalog of sessions: one SQLite file, kept next to the sources"
OTHER = "Every release is tagged by the bot after the changelog was read"

CODES = [f"code{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]


def made(name: str, title: str, days: float, **changes: Any) -> Memory:
    given = {"title": title, "body": "", "origin": Origin.MODEL, "confidence": 0.7}
    return from_session(name, days, **(given | changes))


def maintain(repo: Repo, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = lerim(repo.path, "maintain", "--json", *words).json
    return found


def says(verdict: str, **named: str) -> Callable[[dict[str, Any]], Said]:
    """Return a model that gives each pair one verdict; without one it leaves all out."""

    def answer(request: dict[str, Any]) -> Said:
        text = request["messages"][1]["content"]
        pairs = re.findall(r"^(\w+), (\w+)$", text[text.index("\nPAIRS") :], re.MULTILINE)
        rows = [
            {"earlier": a, "later": b, "reason": "They say it.", "verdict": verdict} | named
            for a, b in pairs
        ]
        return completion({"pairs": rows if verdict else []})

    return answer


@pytest.fixture
def pair(repo: Repo) -> tuple[Memory, Memory]:
    """Return two memories that say the same in words of which no rule knows it, beside a third."""
    one, two = made("a", FIRST, 20), made("b", AGAIN, 10)
    put(repo, one, two, made("c", OTHER, 5))
    return one, two


def test_what_words_leave_open_is_asked_and_merged(
    repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    endpoint.answer = says("same")
    actions = maintain(repo)["actions"]

    assert [each["action"] for each in actions] == ["compare", "merge"]
    assert len(endpoint.asked) == 1
    assert OTHER not in endpoint.texts[0]
    there = stored(repo)
    assert there[pair[0].id].merged_from == (pair[1].id,)
    assert there[pair[1].id].status is Status.ARCHIVED


@pytest.mark.parametrize(
    "other",
    [
        "Catalog of sessions: no SQLite file, kept next to the sources",
        "Catalog of sessions: two SQLite files, kept next to the sources",
        "Catalog of sessions: opened with --wal, kept in the sources",
    ],
)
def test_what_differs_in_a_detail_is_not_merged_whatever_the_model_says(
    other: str, repo: Repo, endpoint: Endpoint
) -> None:
    put(repo, made("a", FIRST, 20), made("b", other, 10))
    endpoint.answer = says("same")

    assert [each["action"] for each in maintain(repo)["actions"]] == ["compare"]
    assert maintain(repo, "--force")["actions"] == []
    assert len(endpoint.asked) == 1
    assert {each.status for each in stored(repo).values()} == {Status.ACTIVE}


def test_a_contradiction_by_words_is_shown_though_the_model_calls_it_the_same(
    repo: Repo, endpoint: Endpoint
) -> None:
    one = made("a", "Requests of the job queue time out after 30 seconds", 20)
    two = made("b", "Requests of the job queue time out after 90 seconds", 10)
    put(repo, one, two)
    endpoint.answer = says("same")
    found = maintain(repo)

    assert len(endpoint.asked) == 1
    assert (
        maintain(repo, "--force", "--no-model")["contradictions"]
        == found["contradictions"]
        == [[two.id, one.id]]
    )


def test_one_that_replaces_another_does_so(
    repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    endpoint.answer = says("replaces")
    assert [each["action"] for each in maintain(repo)["actions"]] == ["compare", "supersede"]

    there = stored(repo)
    assert there[pair[0].id].status is Status.SUPERSEDED
    assert there[pair[1].id].supersedes == (pair[0].id,)


def test_what_a_human_said_is_left_to_people(repo: Repo, endpoint: Endpoint) -> None:
    one, two = made("a", FIRST, 20, origin=Origin.HUMAN), made("b", AGAIN, 10)
    put(repo, one, two)
    endpoint.answer = says("replaces")

    assert maintain(repo)["contradictions"] == [[two.id, one.id]]
    assert {each.status for each in stored(repo).values()} == {Status.ACTIVE}


@pytest.mark.parametrize("verdict", ["both", "unsure", ""])
def test_a_pair_is_asked_about_once(
    verdict: str, repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    endpoint.answer = says(verdict)
    assert [each["action"] for each in maintain(repo)["actions"]] == ["compare"]
    assert maintain(repo, "--force")["actions"] == []
    assert len(endpoint.asked) == 1
    assert {each.status for each in stored(repo).values()} == {Status.ACTIVE}
    assert pair[0].id in stored(repo)


@pytest.mark.parametrize("words", [["--no-model"], ["--dry-run"], ["--only", "merge"]])
def test_a_run_that_may_not_ask_sends_nothing(
    words: list[str], repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    assert maintain(repo, *words)["actions"] == []
    assert endpoint.asked == []
    endpoint.answer = says("same")
    assert (
        maintain(repo)["actions"] != []
    )  # that nothing was due without the model says nothing of a run with it
    assert stored(repo)[pair[1].id].status is Status.ARCHIVED


def test_a_dry_run_says_how_much_it_would_send_and_sends_nothing(
    repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    dry = maintain(repo, "--dry-run")["would_send"]
    shown = lerim(repo.path, "maintain", "--dry-run").err
    assert maintain(repo, "--dry-run", "--no-model")["would_send"] is None
    assert endpoint.asked == []

    endpoint.answer = says("both")
    assert maintain(repo)["would_send"] is None
    (sent,) = endpoint.asked
    size = sum(len(message["content"]) for message in sent["messages"])
    assert dry["requests"] == 1
    assert size / 5 < dry["tokens_in"] < size / 2
    assert f"would send 1 request, about {dry['tokens_in']:,} tokens, to careful" in shown
    assert maintain(repo, "--dry-run")["would_send"] == {"requests": 0, "tokens_in": 0}
    assert "would send" not in lerim(repo.path, "maintain", "--dry-run").err
    assert pair[0].id in stored(repo)


def test_a_budget_and_a_fault_leave_the_pairs_open_and_are_named(
    repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    repo.git("config", "--global", "lerim.budgetTokens", "10")
    found = maintain(repo)
    assert "budget" in found["trouble"]
    assert (found["actions"], endpoint.asked) == ([], [])
    repo.git("config", "--global", "--unset", "lerim.budgetTokens")

    endpoint.answer = lambda _: completion("I cannot say.")
    assert "not compared" in maintain(repo)["trouble"]
    assert len(endpoint.asked) == 2  # once more where the answer cannot be read

    endpoint.answer = says("same", earlier="B7")
    assert [each["action"] for each in maintain(repo)["actions"]] == [
        "compare"
    ]  # what was not asked about counts for nothing
    assert stored(repo)[pair[1].id].status is Status.ACTIVE


def test_a_run_that_compared_is_taken_back_as_one(
    repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    endpoint.answer = says("same")
    before = stored(repo)
    run = maintain(repo)["run_id"]
    assert lerim(repo.path, "undo", run).code == 0
    assert {id_: (one.status, one.compared) for id_, one in stored(repo).items()} == {
        id_: (one.status, ()) for id_, one in before.items()
    }
    assert pair[0].id in before


def test_a_memory_in_pairs_of_several_calls_keeps_every_verdict(
    repo: Repo, endpoint: Endpoint
) -> None:
    listed = made("all", " ".join(CODES[:13]), 1, body=" ".join(CODES[13:]))
    put(repo, listed, *(made(code, f"What {code} is", 5) for code in CODES))
    endpoint.answer = says("both")

    maintain(repo, "--only", "compare")
    pairs = [
        len(re.findall(r"^\w+, \w+$", text[text.index("\nPAIRS") :], re.MULTILINE))
        for text in endpoint.texts
    ]

    assert pairs == [24, len(CODES) - 24]
    assert len(stored(repo)[listed.id].compared) == len(CODES)


def test_a_memory_is_compared_with_the_nearest_of_its_kind_alone(
    repo: Repo, endpoint: Endpoint, pair: tuple[Memory, Memory]
) -> None:
    beside = made("d", "The session catalog is read by the panel beside the code", 3)
    learnt = made("e", FIRST, 2, primitive=Primitive.LEARNING, kind=Kind.FACT)
    put(repo, beside, learnt)
    endpoint.answer = says("both")
    maintain(repo, "--only", "compare")

    asked = {
        frozenset((id_, row.other)) for id_, one in stored(repo).items() for row in one.compared
    }
    assert len(endpoint.asked) == 1
    assert asked == {
        frozenset((pair[0].id, pair[1].id)),
        frozenset((pair[0].id, beside.id)),
    }


@pytest.mark.usefixtures("pair")
def test_what_a_run_asked_is_counted_and_its_commit_names_the_model(
    repo: Repo, endpoint: Endpoint
) -> None:
    endpoint.answer = says("both")
    maintain(repo)

    assert "Lerim-Model: careful" in repo.git("log", "-1", "--format=%(trailers)", "lerim/memory")
    (month,) = lerim(repo.path, "stats", "--json").json["model"]
    assert (month["tokens_in"], month["tokens_out"]) == (5000, 70)


@pytest.mark.usefixtures("pair")
def test_a_budget_in_dollars_counts_for_maintain_too(repo: Repo, endpoint: Endpoint) -> None:
    for name, value in {"priceIn": "1000", "priceOut": "1000", "budgetUsd": "0.01"}.items():
        repo.git("config", "--global", f"lerim.{name}", value)
    assert "$0.01" in maintain(repo)["trouble"]
    assert endpoint.asked == []
