import runpy
from pathlib import Path

import pytest

from git_lerim.extraction.wishes.patterns import WEIGHTS

SENTENCES = Path(__file__).parents[4] / "benchmarks/sentences.py"


@pytest.mark.parametrize("task", ["harm", "wishes"])
def test_the_weights_are_those_that_the_labelled_sentences_give(task: str) -> None:
    learning = runpy.run_path(str(SENTENCES))
    assert learning["TABLES"][task].read_text("utf-8") == learning["written"](task)


def test_a_score_does_not_depend_on_the_order_in_which_weights_are_added() -> None:
    # added up in any order, without rounding, it is a little more than the least score of a wish
    assert WEIGHTS.score("Bitte lass die Tests noch einmal laufen") == -0.1
