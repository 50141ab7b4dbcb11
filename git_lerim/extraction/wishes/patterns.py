"""The expressions and weights by which wishes in one language are recognized."""

import re
from dataclasses import dataclass
from importlib.resources import files

from git_lerim.extraction.wishes.order_forms import Orders
from git_lerim.memories.checks.learned.weights import Weights

TYPED = Weights(files(__package__) / "typed.tsv")  # of any sentence that somebody typed


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one case-insensitive pattern that matches what any of `patterns` matches."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


# How much the form of a sentence adds to its score by `TYPED`; learned by a logistic regression on
# sentences that `TYPED` did not learn from.
_SURE, _INSISTENT, _UNIVERSAL, _RULE = 1.8, 1.6, 1.7, 1.2
_REACTS, _EXPLAINS, _NEITHER = -1.1, -2.2, -2.5


@dataclass(frozen=True, slots=True)
class Rules:
    """The forms of rules for all cases in one language.

    `forms` finds forms such as "Prefer A over B", and `universal` what is said of every case, such
    as "Every table must have a key".
    """

    forms: re.Pattern[str]
    universal: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Language:
    """How a wish is expressed in one language.

    `explicit` finds words such as "always", "never" or "from now on", and `insistent` what insists
    on them, such as "never ever". `neither` finds look-alikes: questions, reports, quotations,
    one-off orders. `reaction` finds exclamations and objections, `at_hand` what is about one thing
    at hand, although it may have the form of a rule, and `orders` orders that give a reason.
    """

    explicit: re.Pattern[str]
    neither: re.Pattern[str]
    sure: re.Pattern[str] | None = None  # makes a wish whatever the words
    insistent: re.Pattern[str] | None = None
    reaction: re.Pattern[str] | None = None
    rules: Rules | None = None
    at_hand: re.Pattern[str] | None = None
    orders: Orders | None = None

    def evidence(self, sentence: str, timeless: str) -> float:
        """Return how much a sentence's form adds to its score; `timeless` is it without times."""
        rules = self.rules
        forms = (
            (_NEITHER, self.neither.search(timeless)),
            (_SURE, self.sure and self.sure.search(sentence)),
            (_INSISTENT, self.insistent and self.insistent.search(sentence)),
            (_UNIVERSAL, rules and rules.universal.search(sentence)),
            (_RULE, rules and rules.forms.search(sentence)),
            (_REACTS, self.reaction and self.reaction.search(sentence)),
            (_EXPLAINS, self.orders and self.orders.explained(sentence, "")),
        )
        return sum(adds for adds, found in forms if found)
