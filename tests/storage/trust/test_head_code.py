"""What is asked of the code that is checked out, and for how long an answer holds."""

import pytest
from support.costs import grows_evenly
from support.repos import Repo

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.storage.trust.head_code import HeadCode, _defines


def code_of(repo: Repo) -> HeadCode:
    place = discover(repo.path, {})
    return HeadCode(place, open_objects(place))


def asked(repo: Repo) -> str:
    """Ask questions about two memories, and return them with their answers."""
    code = code_of(repo)
    code.about = "one"
    assert code.is_here("tools/seed.py")
    assert code.has_target("make", "lint")
    code.about = "two"
    assert code.has_target("make", "lint")
    assert code.declares("alembic")
    assert not code.declares("acme")
    return code.asked({"one", "two"})


@pytest.fixture
def shop(repo: Repo) -> Repo:
    repo.commit(
        {
            "tools/seed.py": "#\n",
            "Makefile": "lint:\n\truff check\n",
            "pyproject.toml": 'dependencies = ["alembic"]\n',
        }
    )
    return repo


def test_answers_hold_while_nothing_that_was_asked_for_changes(shop: Repo) -> None:
    before = asked(shop)
    shop.commit({"tools/seed.py": "pass\n", "Makefile": "lint test:\n\ttrue\n", "new.py": "#\n"})
    code = code_of(shop)

    assert code.outdated(before) == set()
    assert code.asked({"one", "two"}) == before  # whoever asks more keeps these, too


@pytest.mark.parametrize(
    ("path", "text", "outdated"),
    [
        ("Makefile", "test:\n\ttrue\n", {"one", "two"}),
        ("pyproject.toml", "dependencies = []\n", {"two"}),
        ("package.json", '{"devDependencies": {"acme": "1"}}\n', {"two"}),
        ("tools/seed.py", "", {"one"}),
    ],
)
def test_only_what_has_another_answer_now_is_outdated(
    shop: Repo, path: str, text: str, outdated: set[str]
) -> None:
    before = asked(shop)
    if text:
        shop.commit({path: text})
    else:
        shop.git("rm", "-q", path)
        shop.git("commit", "-qm", "Drop")
    code = code_of(shop)

    assert code.outdated(before) == outdated
    assert not any(blob in code.asked({"one", "two"}) for blob in outdated)


@pytest.mark.parametrize("line", ["", "None", "[]", "{"])
def test_what_cannot_be_read_says_nothing(shop: Repo, line: str) -> None:
    assert code_of(shop).outdated(line) is None


def test_a_makefile_of_one_long_line_costs_time_in_proportion() -> None:
    assert grows_evenly(lambda size: _defines("x " * size, "x"), 50_000)
    assert _defines("test lint: x\n\tpytest\n", "lint")
    assert not _defines("X = lint: 1\n# run lint: y\n\tlint: z\n", "lint")


@pytest.mark.parametrize("line", ["", "[" * 100_000, "[]", "{", '{"one": NaN}'])
def test_answers_that_somebody_broke_are_asked_again(shop: Repo, line: str) -> None:
    assert code_of(shop).current({"one": "runs what is not here"}, line) == {}


def test_answers_about_one_memory_that_are_no_answers_are_asked_again(shop: Repo) -> None:
    assert code_of(shop).outdated('{"one": [1], "two": {}}') == {"one"}
