"""The expressions and weights by which wishes in one language are recognized."""

import re
from dataclasses import dataclass
from importlib.resources import files

from git_lerim.extraction.wishes.order_forms import Orders
from git_lerim.memories.checks.learned.weights import Weights

WEIGHTS = Weights(files(__package__) / "weights.tsv")  # for sentences with one of the forms
TYPED = Weights(files(__package__) / "typed.tsv")  # for any sentence that somebody typed


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one case-insensitive pattern that matches what any of `patterns` matches."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


# a wish has a higher score: if it is about every case, has a word or form for all times, or neither
_LEAST_UNIVERSAL, _LEAST_EXPLICIT, _LEAST = -2.5, -0.7, -0.1
# scores by `TYPED`: up to UNLIKELY a sentence is no wish, whatever its form; up to DOUBTFUL it
# needs a form; above LIKELY a possible wish is a rule, and above ENOUGH any sentence.
UNLIKELY, DOUBTFUL, LIKELY, ENOUGH = -5.5, -3.0, 0.5, 1.5


@dataclass(frozen=True, slots=True)
class Rules:
    """The forms of rules for all cases in one language.

    `forms` finds forms such as "Prefer A over B", which need the score of a wish with "always".
    `universal` finds what is said of every case, such as "Every table must have a key", which needs
    still less.
    """

    forms: re.Pattern[str]
    universal: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Language:
    """How a wish is expressed in one language.

    `explicit` finds words such as "always", "never" or "from now on"; a sentence with such a word
    needs only a lower score; with what `insistent` finds, only that by `TYPED` counts. `neither`
    finds look-alikes:
    questions, reports, quotations, one-off orders. `reaction` finds exclamations and objections,
    which are wishes only with such a word, or in a form that `rules` finds. `at_hand` finds what is
    about one thing at hand, although it may have the form of a rule: it is a wish only with such a
    word. `orders` finds orders that give a reason.
    """

    explicit: re.Pattern[str]
    neither: re.Pattern[str]
    sure: re.Pattern[str] | None = None  # makes a wish whatever the words
    insistent: re.Pattern[str] | None = None
    reaction: re.Pattern[str] | None = None
    rules: Rules | None = None
    at_hand: re.Pattern[str] | None = None
    orders: Orders | None = None

    def is_explicit(self, sentence: str, score: float) -> bool:
        """Return whether a sentence is a wish, and contains a word such as "always" or "never"."""
        if self.insistent and self.insistent.search(sentence):
            return True
        return score > _LEAST_EXPLICIT and bool(self.explicit.search(sentence))

    def is_sure(self, sentence: str) -> bool:
        """Return whether a sentence is a wish by its form alone."""
        return bool(self.sure and self.sure.search(sentence))

    def is_rule(self, sentence: str, score: float) -> bool:
        """Return whether a sentence is a wish, and has the form of a rule for all cases."""
        if self.rules is None or score <= _LEAST_UNIVERSAL:
            return False
        return bool(
            (score > _LEAST_EXPLICIT and self.rules.forms.search(sentence))
            or self.rules.universal.search(sentence)
        )

    def is_general(self, sentence: str, score: float) -> bool:
        """Return whether a sentence is a wish by its score alone."""
        return score > _LEAST and not self.reacts(sentence)

    def reacts(self, sentence: str) -> bool:
        """Return whether a sentence is an exclamation or an objection to the work at hand."""
        return bool(self.reaction and self.reaction.search(sentence))

    def explains(self, sentence: str) -> bool:
        """Return whether a sentence is an order that gives its reason."""
        return bool(self.orders and self.orders.explained(sentence, ""))
