import runpy
from pathlib import Path

from git_lerim.extraction.wishes.patterns import TYPED

SENTENCES = Path(__file__).parents[4] / "benchmarks/sentences.py"


def test_the_weights_are_those_that_the_labelled_sentences_give() -> None:
    learning = runpy.run_path(str(SENTENCES))
    assert learning["TABLES"]["harm"].read_text("utf-8") == learning["written"]("harm")


def test_a_score_does_not_depend_on_the_order_in_which_weights_are_added() -> None:
    # without rounding, the sum of these weights is not the same in each order
    assert TYPED.score("Bitte lass die Tests noch einmal laufen") == -1.3
