import runpy
from pathlib import Path

import pytest

from git_lerim.extraction.wishes.marks import marks_of, weight_of

LEARNING = Path(__file__).parents[3] / "benchmarks/wishes.py"


def test_the_marks_of_a_sentence_are_its_words_pairs_endings_beginning_end_and_length() -> None:
    assert marks_of("Don’t commit `a b` or main.py!") == {
        *("don't", "commit", "<code>", "or", "<file>"),
        *("don't commit", "commit <code>", "<code> or", "or <file>"),
        *("^don't", "^don't commit", "<file>$", "-mit", "5x1"),
    }


def test_a_sentence_without_words_has_no_marks_and_is_no_wish() -> None:
    assert marks_of(" . ") == set()
    assert weight_of("") < 0


@pytest.mark.parametrize(
    ("wish", "task"),
    [
        ("Prefer early returns over nested ifs.", "Rewrite this function with early returns."),
        ("We squash commits when we merge.", "Squash these four commits."),
        ("Ask me before you add a dependency.", "Add lodash as a dependency."),
    ],
)
def test_a_wish_weighs_more_than_a_task_about_the_same(wish: str, task: str) -> None:
    assert weight_of(wish) > 0 > weight_of(task)


def test_the_weights_are_those_that_the_labelled_sentences_give() -> None:
    learning = runpy.run_path(str(LEARNING))
    assert learning["TABLE"].read_text("utf-8") == learning["written"]()
