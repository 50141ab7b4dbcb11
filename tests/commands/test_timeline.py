import pytest
from support.repos import Repo
from support.world import World


@pytest.fixture
def told(world: World, repo: Repo) -> list[str]:
    said = [
        "Prices round half to even",
        "Totals are cents",
        "Rates come from the bank",
        "Fees are never negative",
    ]
    files = [[], ["--file", "hello.py"], [], ["--file", "hello.py"]]
    for one, more in zip(said, files, strict=True):
        world.lerim(repo.path, "remember", f"{one}. Somebody asked.", *more)
    rows = {row["title"]: row["id"] for row in world.lerim(repo.path, "list", "--json").json}
    return [rows[one] for one in said]


def test_a_memory_stands_between_what_was_learned_before_and_after(
    world: World, repo: Repo, told: list[str]
) -> None:
    every = [row["id"] for row in world.lerim(repo.path, "timeline", told[1], "--json").json]
    middle = every[1]

    lines = world.lerim(repo.path, "timeline", middle[:6], "-n", "1").out.splitlines()

    assert sorted(every) == sorted(told)
    assert [line.split()[0 if n != 1 else 1] for n, line in enumerate(lines)] == every[:3]
    assert lines[1].startswith(f"> {middle}")


def test_of_a_file_all_that_was_learned_about_it_is_shown(
    world: World, repo: Repo, told: list[str]
) -> None:
    rows = world.lerim(repo.path, "timeline", "hello.py", "--json").json

    assert {row["id"] for row in rows} == {told[1], told[3]}


def test_a_path_is_relative_to_the_current_folder(world: World, repo: Repo) -> None:
    repo.commit({"queue/backoff.go": "package queue\n"})
    world.lerim(repo.path, "remember", "Retries double. Asked.", "--file", "queue/backoff.go")
    queue = repo.path / "queue"

    for named in ("backoff.go", "./backoff.go", ".", "../queue", str(queue)):
        (row,) = world.lerim(queue, "timeline", named, "--json").json
        assert row["title"] == "Retries double"
    assert world.lerim(queue, "timeline", "queue/backoff.go").code == 1


def test_what_is_neither_a_memory_nor_a_file_is_refused(
    world: World, repo: Repo, told: list[str]
) -> None:
    ran = world.lerim(repo.path, "timeline", "nowhere.py")

    assert told
    assert ran.code == world.lerim(repo.path, "timeline", "nosuch").code == 1
    assert "'nowhere.py' is neither an active memory nor a file of this repository" in ran.err


def test_the_status_line_counts_what_is_there_and_is_silent_without_a_memory(
    world: World, repo: Repo
) -> None:
    empty = world.lerim(repo.path, "statusline")
    outside = world.lerim(repo.path.parent, "statusline")
    world.lerim(repo.path, "remember", "Totals are cents. Somebody asked.")
    world.lerim(repo.path, "handoff", "begin", "The parser is half done.")

    assert (
        (empty.code, empty.out, empty.err)
        == (outside.code, outside.out, outside.err)
        == (0, "", "")
    )
    assert world.lerim(repo.path, "statusline").out == "lerim: 1 memory, 1 handoff open\n"


def test_the_skill_is_short_and_begins_with_what_agents_choose_it_by(
    world: World, repo: Repo
) -> None:
    text = world.lerim(repo.path, "skill").out

    assert text.startswith("---\nname: git-lerim\ndescription: ")
    assert len(text.splitlines()) < 120
    assert "git lerim search" in world.lerim(repo.path, "skill", "--short").out
