"""Judge a sentence by its words, with a logistic regression.

Each feature of a sentence (a word; two words in a row or, in Chinese and Japanese, up to three
characters; beginning and end; suffix; length) has a weight that `benchmarks/sentences.py` learned
from sentences in eleven languages, written and labelled for that purpose.
"""

from collections.abc import Mapping
from functools import cached_property
from importlib.resources.abc import Traversable

from git_lerim.memories.checks.learned.features import features_of

_DIGITS = 6


class Weights:
    """A table of weights, which is read when a sentence is first judged."""

    def __init__(self, table: Traversable) -> None:
        """Initialize with a table that has a weight, a tab and a feature on each line."""
        self._table = table

    def score(self, sentence: str) -> float:
        """Return the logarithm of the odds that a sentence is what the table detects."""
        return self.total(dict.fromkeys(("", *features_of(sentence)), 1.0))

    def total(self, features: Mapping[str, float]) -> float:
        """Return the sum of the weights of features, each multiplied by the feature's value."""
        # rounded, so that the order in which a set is added up makes no difference
        weights = self._weights
        return round(
            sum(weights.get(each, 0.0) * value for each, value in features.items()), _DIGITS
        )

    @cached_property
    def _weights(self) -> dict[str, float]:
        rows = (line.split("\t") for line in self._table.read_text("utf-8").splitlines())
        return {feature: float(weight) for weight, feature in rows}
