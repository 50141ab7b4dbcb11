import pytest

from git_lerim.extraction.wishes.patterns import WEIGHTS


@pytest.mark.parametrize(
    ("wish", "task"),
    [
        ("Prefer early returns over nested ifs.", "Rewrite this function with early returns."),
        ("We squash commits when we merge.", "Squash these four commits."),
        ("Ask me before you add a dependency.", "Add lodash as a dependency."),
    ],
)
def test_a_wish_scores_higher_than_a_task_about_the_same(wish: str, task: str) -> None:
    assert WEIGHTS.score(wish) > 0 > WEIGHTS.score(task)


def test_no_words_are_no_wish() -> None:
    assert WEIGHTS.score("") < 0
