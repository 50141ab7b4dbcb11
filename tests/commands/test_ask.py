import pytest
from support.repos import Repo
from support.world import World


@pytest.fixture
def told(world: World, repo: Repo) -> Repo:
    world.lerim(
        repo.path,
        "remember",
        "Prices are rounded half to even. Half up made the totals drift.",
        "--file",
        "hello.py",
    )
    return repo


def test_an_answer_names_the_memory_its_day_and_how_the_code_stands(
    world: World, told: Repo
) -> None:
    id_ = world.lerim(told.path, "list", "--json").json[0]["id"]

    fresh = world.lerim(told.path, "ask", "how", "are", "prices", "rounded?")
    told.commit({"hello.py": "changed\n"})
    stale = world.lerim(told.path, "ask", "how are prices rounded?", "--json").json

    assert "Prices are rounded half to even." in fresh.out
    assert fresh.out.startswith("The closest memories; no model judged whether they answer the")
    assert f"[{id_}]" in fresh.out
    assert ", fresh" in fresh.out
    assert stale["memories_used"] == [id_]
    assert stale["sentences"][0]["state"] == "unknown"  # it names nothing in the file
    assert f"[{id_}]" in stale["answer"]
    assert 0.5 <= stale["confidence"] <= 0.9
    assert "failed" not in stale


def test_that_nothing_is_known_is_an_answer(world: World, told: Repo) -> None:
    asked = world.lerim(told.path, "ask", "what is the capital of France?")
    empty = world.lerim(told.path, "ask", "what is the capital of France?", "--json").json

    assert (asked.code, asked.out) == (0, "Nothing in memory about this.\n")
    assert empty == {
        "answer": "Nothing in memory about this.",
        "memories_used": [],
        "confidence": 0.0,
        "model": None,
        "nearest": [],
        "sentences": [],
    }


def test_the_nearest_is_named_as_no_answer(world: World, told: Repo) -> None:
    id_ = world.lerim(told.path, "list", "--json").json[0]["id"]

    asked = world.lerim(told.path, "ask", "who exports the totals?")
    row = world.lerim(told.path, "ask", "who exports the totals?", "--json").json

    title = "Prices are rounded half to even"
    assert asked.out == f"No memory clearly answers this. Closest:\n    [{id_}] {title}\n"
    assert (row["answer"], row["memories_used"]) == ("No memory clearly answers this.", [])
    assert row["nearest"] == [{"id": id_, "title": title, "author": None, "state": "fresh"}]


def test_a_stale_memory_that_is_only_near_is_marked(world: World, repo: Repo) -> None:
    repo.commit({"c.py": "MAX = 4\n"})
    text = "MAX is 4 because of the quota of the API"
    id_ = world.lerim(repo.path, "remember", text, "--file", "c.py", "--json").json["id"]
    commit = repo.commit({"c.py": "MAX = 9\n"})

    asked = world.lerim(repo.path, "ask", "how high is MAX allowed")
    row = world.lerim(repo.path, "ask", "how high is MAX allowed", "--json").json

    assert asked.out.startswith("No memory clearly answers this. Closest:\n")
    assert f"[{id_}] {text}  (stale since {commit[:7]})\n" in asked.out
    assert [near["state"] for near in row["nearest"]] == ["stale"]


@pytest.mark.parametrize(
    "question",
    ["how many retries?", "how many retries do we use", "how often do we retry a request?"],
)
def test_a_question_for_a_number_is_answered(world: World, repo: Repo, question: str) -> None:
    wish = "Always use retries=3 in src/net.py, because the proxy drops every second request."
    world.lerim(repo.path, "remember", wish, "--kind", "preference")

    assert wish in world.lerim(repo.path, "ask", question).out


def test_the_past_is_asked_as_it_was_and_an_archived_memory_only_on_demand(
    world: World, told: Repo
) -> None:
    id_ = world.lerim(told.path, "list", "--json").json[0]["id"]
    before = told.git("rev-parse", "lerim/memory")
    world.lerim(told.path, "forget", id_)

    question = ("ask", "how are prices rounded?", "--json")
    assert world.lerim(told.path, *question).json["memories_used"] == []
    assert world.lerim(told.path, *question, "--at", before).json["memories_used"] == [id_]
    assert world.lerim(told.path, *question, "--all").json["sentences"][0]["state"] == "archived"


def test_a_repository_without_memory_and_an_empty_question_are_told_plainly(
    world: World, repo: Repo
) -> None:
    assert world.lerim(repo.path, "ask", "why?").out == "Nothing in memory about this.\n"
    assert world.lerim(repo.path, "ask", " ").code == 2


def test_a_quotation_that_begins_with_the_title_has_it_once(world: World, repo: Repo) -> None:
    title = "The exporter of the finance team runs in UTC"
    text = f"{title} (because its fixtures are in UTC). Totals drift under half up rounding."
    world.lerim(repo.path, "remember", text, "--title", title)

    asked = world.lerim(repo.path, "ask", "do totals drift under half up rounding?").out

    assert f"\n{text}\n" in asked
