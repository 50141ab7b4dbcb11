import runpy
from pathlib import Path

import pytest

SENTENCES = Path(__file__).parents[4] / "benchmarks/sentences.py"


@pytest.mark.parametrize("task", ["harm", "wishes"])
def test_the_weights_are_those_that_the_labelled_sentences_give(task: str) -> None:
    learning = runpy.run_path(str(SENTENCES))
    assert learning["TABLES"][task].read_text("utf-8") == learning["written"](task)
