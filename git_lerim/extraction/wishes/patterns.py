"""The expressions and weights by which wishes in one language are recognized."""

import re
from dataclasses import dataclass
from importlib.resources import files

from git_lerim.memories.checks.learned.weights import Weights

WEIGHTS = Weights(files(__package__) / "weights.tsv")


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one case-insensitive pattern that matches what any of `patterns` matches."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


# a wish has a higher score, with and without words for all times
_LEAST_EXPLICIT, _LEAST = -0.7, -0.1


@dataclass(frozen=True, slots=True)
class Language:
    """How a wish is expressed in one language.

    `explicit` finds words such as "always", "never" or "from now on"; a sentence with such a word
    needs only a lower score. `neither` finds look-alikes: questions, reports, quotations, one-off
    orders. `reaction` finds exclamations and objections, which are wishes only with a word that
    `explicit` finds.
    """

    explicit: re.Pattern[str]
    neither: re.Pattern[str]
    sure: re.Pattern[str] | None = None  # makes a wish whatever the score
    reaction: re.Pattern[str] | None = None

    def is_explicit(self, sentence: str) -> bool:
        """Return whether a sentence is a wish, and contains a word such as "always" or "never"."""
        if self.sure and self.sure.search(sentence):
            return True
        return bool(self.explicit.search(sentence)) and WEIGHTS.score(sentence) > _LEAST_EXPLICIT

    def is_general(self, sentence: str) -> bool:
        """Return whether a sentence is a wish by its score alone."""
        if self.reaction and self.reaction.search(sentence):
            return False
        return WEIGHTS.score(sentence) > _LEAST
