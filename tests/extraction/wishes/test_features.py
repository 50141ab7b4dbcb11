import runpy
from pathlib import Path

import pytest

from git_lerim.extraction.wishes.features import features_of, score

LEARNING = Path(__file__).parents[3] / "benchmarks/wishes.py"


def test_the_features_of_a_sentence_are_its_words_pairs_suffixes_beginning_end_and_length() -> None:
    assert features_of("Don’t commit `a b` or main.py!") == {
        *("don't", "commit", "<code>", "or", "<file>"),
        *("don't commit", "commit <code>", "<code> or", "or <file>"),
        *("^don't", "^don't commit", "<file>$", "-mit", "5x1"),
    }


def test_a_sentence_without_words_has_no_features_and_is_no_wish() -> None:
    assert features_of(" . ") == set()
    assert score("") < 0


@pytest.mark.parametrize(
    ("wish", "task"),
    [
        ("Prefer early returns over nested ifs.", "Rewrite this function with early returns."),
        ("We squash commits when we merge.", "Squash these four commits."),
        ("Ask me before you add a dependency.", "Add lodash as a dependency."),
    ],
)
def test_a_wish_scores_higher_than_a_task_about_the_same(wish: str, task: str) -> None:
    assert score(wish) > 0 > score(task)


def test_the_weights_are_those_that_the_labelled_sentences_give() -> None:
    learning = runpy.run_path(str(LEARNING))
    assert learning["TABLE"].read_text("utf-8") == learning["written"]()
