"""What `git lerim maintain` lets a model write in the place of several memories, in real
repositories.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.chat import Endpoint, Said, completion
from support.inside import lerim
from support.memories import NOW, from_session
from support.repos import Repo
from support.stores import put, stored

from git_lerim.memories.memory import Anchor, Edited, Memory, Origin, Status

TEXTS = (
    ("The exporter writes CSV files in UTF-8", "Excel on Windows broke other encodings."),
    ("The exporter writes CSV dates as ISO 8601", "The importer of the CSV reads `date` only so."),
    ("The exporter splits CSV files after 5000 rows", "Larger CSV files of it timed out."),
)
OTHER = "Every release is tagged by the bot after the changelog was read"
TITLE = "The exporter writes CSV files in UTF-8 with ISO 8601 dates, split after 5000 rows"


def made(name: str, title: str, body: str = "", days: float = 9, **changes: Any) -> Memory:
    given = {
        "title": title,
        "body": body,
        "origin": Origin.MODEL,
        "confidence": 0.7,
        "tags": ("csv", f"tag-{name}"),
        "anchors": (Anchor(path=f"src/{name}.py"),),
    }
    return from_session(name, days, **(given | changes))


def others() -> list[Memory]:
    """Return memories on other subjects, so that words of one subject are rare."""
    many = [made(f"x{n}", f"Topic{n} has word{n} by reason{n}", days=3, tags=()) for n in range(12)]
    return [made("d", OTHER, days=5), *many]


def maintain(repo: Repo, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = lerim(repo.path, "maintain", "--json", *words).json
    return found


def fact(text: str, name: str, quote: str) -> dict[str, str]:
    return {"text": text, "from": name, "quote": quote}


def writes(**changes: Any) -> Callable[[dict[str, Any]], Said]:
    """Return a model that makes one memory of all that it is shown, with some changes."""

    def answer(request: dict[str, Any]) -> Said:
        text = request["messages"][1]["content"]
        if not text.startswith("MEMORIES\nM1"):
            return completion({"pairs": []})
        shown = re.findall(r"^(M\d+) \([\d-]+\): (.*) \| (.*)$", text, re.MULTILINE)
        facts = [fact(f"{title}. {body}", name, title) for name, title, body in shown]
        whole = {
            "reason": "All are about the exporter's CSV files.",
            "memories": [name for name, *_ in shown],
            "title": TITLE,
            "facts": facts,
        }
        return completion(whole | changes)

    return answer


@pytest.fixture
def endpoint(endpoint: Endpoint) -> Endpoint:
    """Let the model make one memory of all that it is shown."""
    endpoint.answer = writes()
    return endpoint


@pytest.fixture
def parts(repo: Repo) -> list[Memory]:
    """Return three memories on one subject, beside one on another."""
    found = [made("abc"[n], *text, days=20 - n) for n, text in enumerate(TEXTS)]
    put(repo, *found, *others())
    return found


def test_small_memories_on_one_subject_become_one_that_has_all_of_theirs(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    done = maintain(repo, "--only", "consolidate")

    (action,) = done["actions"]
    assert action["action"] == "consolidate"
    there = stored(repo)
    new = there[action["added"][0]]
    assert (new.title, new.origin, new.edited) == (TITLE, Origin.MODEL, None)
    assert "The importer of the CSV reads `date` only so." in new.body
    assert set(new.supersedes) == {each.id for each in parts}
    assert {each.session for each in new.sources} == {"session-a", "session-b", "session-c"}
    assert set(new.tags) == {"csv", "tag-a", "tag-b", "tag-c"}
    assert {each.path for each in new.anchors} == {"src/a.py", "src/b.py", "src/c.py"}
    assert {there[each.id].status for each in parts} == {Status.SUPERSEDED}
    assert OTHER not in endpoint.texts[0]
    message = repo.git("log", "-1", "--format=%B", "lerim/memory")
    assert "Reason: All are about the exporter's CSV files." in message
    assert "Lerim-Op: consolidate" in message
    assert "Lerim-Model: careful" in message
    assert f"Lerim-Added: {new.id}" in message


def test_it_stays_so_until_it_is_taken_back_and_is_not_done_again(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    run = maintain(repo)["run_id"]
    assert lerim(repo.path, "sync").code == 0
    assert maintain(repo, "--force")["actions"] == []
    assert {stored(repo)[each.id].status for each in parts} == {Status.SUPERSEDED}

    assert lerim(repo.path, "undo", run).code == 0
    assert {stored(repo)[each.id].status for each in parts} == {Status.ACTIVE}
    assert maintain(repo, "--force")["actions"] == []
    assert sum(text.startswith("MEMORIES\nM1") for text in endpoint.texts) == 1


def test_a_model_that_leaves_them_apart_is_asked_once(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    endpoint.answer = writes(memories=[], title="", facts=[])
    for _ in range(2):
        assert maintain(repo, "--only", "consolidate")["actions"] == []
    assert len(endpoint.asked) == 1
    assert stored(repo)[parts[0].id].status is Status.ACTIVE


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"memories": ["M1", "M2", "M9"]}, "were not shown"),
        ({"memories": ["M1", "M2"]}, "3 or more memories"),
        ({"title": ""}, "needs a title"),
        ({"facts": []}, "needs a title"),
        ({"facts": [fact("The exporter writes CSV files.", "M1", "in UTF-16")]}, "word for word"),
        (
            {"facts": [fact("Bananas ripen quickly on warm balconies.", "M1", "UTF-8")]},
            "says what none of the memories says",
        ),
        (
            {"facts": [fact("The exporter writes CSV files to out_dir.", "M1", "writes CSV")]},
            "names what none of the memories names: out_dir",
        ),
        ({"facts": [fact(TEXTS[0][0], "M1", "in UTF-8")]}, "no fact quotes M2, M3"),
    ],
)
def test_a_text_that_fails_the_checks_is_asked_for_again_and_then_dropped(
    changes: dict[str, Any],
    fault: str,
    repo: Repo,
    endpoint: Endpoint,
    parts: list[Memory],
) -> None:
    endpoint.answer = writes(**changes)
    found = maintain(repo, "--only", "consolidate")

    assert (found["actions"], len(endpoint.asked)) == ([], 2)
    assert fault in endpoint.texts[1]
    assert "3 memories not combined" in found["trouble"]
    assert {stored(repo)[each.id].status for each in parts} == {Status.ACTIVE}


def test_a_name_that_would_be_lost_is_told_to_the_model_which_may_correct_it(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    good, facts = writes(), [fact(title, f"M{n}", title) for n, (title, _) in enumerate(TEXTS, 1)]
    bad = writes(title="The exporter writes CSV files", facts=facts)

    def answer(request: dict[str, Any]) -> Said:
        return good(request) if len(endpoint.asked) > 1 else bad(request)

    endpoint.answer = answer
    (action,) = maintain(repo, "--only", "consolidate")["actions"]

    assert "it loses what the memories name" in endpoint.texts[1]
    assert "date" in endpoint.texts[1]
    assert set(action["ids"]) == {each.id for each in parts}


@pytest.mark.parametrize(
    "changes",
    [
        {"protected": True},
        {"edited": Edited(by="Ada <ada@example.org>", at=NOW)},
        {"origin": Origin.HUMAN},
        {"body": "Excel broke. " * 60},
    ],
)
def test_what_people_wrote_edited_or_protected_and_what_is_long_is_left_alone(
    changes: dict[str, Any], repo: Repo, endpoint: Endpoint
) -> None:
    one, two, three = TEXTS
    put(repo, made("a", *one), made("b", *two), made("c", three[0], **changes), *others())
    assert maintain(repo, "--only", "consolidate")["actions"] == []
    assert endpoint.asked == []


@pytest.mark.parametrize(
    "answer",
    [completion("I cannot say."), completion(None, refusal="I will not."), Said(status=400)],
)
def test_a_model_that_fails_changes_nothing_and_is_named(
    answer: Said, repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    endpoint.answer = lambda _: answer
    found = maintain(repo, "--only", "consolidate")
    assert found["actions"] == []
    assert found["trouble"]
    assert {stored(repo)[each.id].status for each in parts} == {Status.ACTIVE}


def test_a_budget_ends_it(repo: Repo, endpoint: Endpoint, parts: list[Memory]) -> None:
    repo.git("config", "--global", "lerim.budgetTokens", "10")
    assert "budget of 10 tokens" in maintain(repo, "--only", "consolidate")["trouble"]
    repo.git("config", "--global", "--unset", "lerim.budgetTokens")
    assert len(maintain(repo, "--only", "consolidate")["actions"]) == 1
    assert stored(repo)[parts[0].id].status is Status.SUPERSEDED
    assert len(endpoint.asked) == 1


def test_a_dry_run_names_the_groups_and_asks_nothing(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    found = maintain(repo, "--dry-run")
    assert [sorted(group) for group in found["groups"]] == [sorted(each.id for each in parts)]
    ran = lerim(repo.path, "maintain", "--only", "consolidate", "--no-model")
    assert TEXTS[0][0] in ran.out
    assert "--consolidate ID ID ID" in ran.err
    assert lerim(repo.path, "maintain", "--no-model").out == ""
    assert endpoint.asked == []


def test_a_proposed_one_waits_for_review(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    before = repo.git("rev-parse", "lerim/memory")
    assert lerim(repo.path, "maintain", "--only", "consolidate", "--propose").code == 0
    assert repo.git("rev-parse", "lerim/memory") == before
    (proposal,) = lerim(repo.path, "review", "--json").json
    assert (proposal["added"], proposal["changed"]) == (1, 3)
    assert lerim(repo.path, "review", "accept", proposal["proposal"], "--all").code == 0
    assert {stored(repo)[each.id].status for each in parts} == {Status.SUPERSEDED}
    assert len(endpoint.asked) == 1


# --- by hand


def test_by_hand_the_model_writes_the_draft(
    repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    ids = [each.id for each in parts]
    done = lerim(repo.path, "maintain", "--consolidate", *ids, "--json").json
    new = stored(repo)[done["id"]]
    assert (new.title, new.origin) == (TITLE, Origin.MODEL)
    assert new.edited is not None
    assert "A person chose them" in endpoint.texts[0]
    assert "Lerim-Model: careful" in repo.git("log", "-1", "--format=%B", "lerim/memory")


@pytest.mark.parametrize("how", ["--no-model", "fails"])
def test_by_hand_the_texts_are_joined_without_a_model(
    how: str, repo: Repo, endpoint: Endpoint, parts: list[Memory]
) -> None:
    endpoint.answer = lambda _: completion("I cannot say.")
    ids = [each.id for each in parts]
    words = ["--no-model"] if how == "--no-model" else []
    ran = lerim(repo.path, "maintain", "--consolidate", *ids, "--json", *words)
    new = stored(repo)[ran.json["id"]]
    assert (new.title, new.origin) == (TEXTS[0][0], Origin.HUMAN)
    assert all(title in new.body and body in new.body for title, body in TEXTS)
    assert ("the old texts are joined" in ran.err) == (how == "fails")
    assert (endpoint.asked == []) == (how == "--no-model")


def test_texts_that_are_too_long_together_are_refused_and_not_cut(repo: Repo) -> None:
    parts = [made(name, f"The {name} exporter", f"{name} word. " * 200) for name in "abc"]
    put(repo, *parts)
    ran = lerim(repo.path, "maintain", "--consolidate", *(each.id for each in parts))
    assert ran.code == 1
    assert "a memory can have at most 4000" in ran.err
    assert {each.status for each in stored(repo).values()} == {Status.ACTIVE}


@pytest.mark.usefixtures("endpoint", "parts")
def test_what_is_made_of_others_memories_stays_in_their_name(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    clone.git("config", "user.name", "Bob")
    clone.git("config", "user.email", "bob@example.org")
    assert lerim(clone.path, "pull").code == 0

    (action,) = maintain(clone, "--only", "consolidate")["actions"]

    rows = {row["id"]: row for row in lerim(clone.path, "list", "--json").json}
    assert rows[action["added"][0]]["author"] == "Ada Tester"
    assert (
        "from Ada Tester, not the user: The exporter writes CSV" in lerim(clone.path, "brief").out
    )

    assert lerim(clone.path, "protect", action["added"][0]).code == 0
    rows = {row["id"]: row for row in lerim(clone.path, "list", "--json").json}
    assert rows[action["added"][0]]["author"] == "Ada Tester"
