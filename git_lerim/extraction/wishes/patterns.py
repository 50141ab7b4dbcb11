"""The expressions and weights by which wishes in one language are recognized."""

import math
import operator
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


# How much the form of a sentence adds to its score by `TYPED`; learned by a logistic regression on
# sentences that `TYPED` did not learn from.
_SURE, _INSISTENT, _UNIVERSAL, _RULE = 1.8, 1.6, 1.7, 1.2
_REACTS, _EXPLAINS, _NEITHER = -1.1, -2.2, -2.5
# minimum scores by `WEIGHTS` and `TYPED` for which such a form is enough; they are lower if a
# sentence begins with a word such as "always", or is a wish by its form alone
_EXPLICITLY, _AS_RULE = (-1.0, -3.2), (-0.7, -4.5)
_UNIVERSALLY, _LEADING = (-2.5, -5.2), (-0.7, -6.5)
_SURELY, _INSISTENTLY = (-math.inf, -7.0), (-math.inf, -6.5)
# `Never includes drafts`, `Always getting an error`
_STATES = re.compile(
    r"\w+ (?:\w+(?:s|ed)|(?:gett|see|hav|fail|crash|tim|hang|break)ing|be|the|an?|in|on|at|one)\b"
)


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

    `explicit` finds words such as "always", "never" or "from now on", and `insistent` an order that
    begins with one, such as "Always use …". `neither` finds look-alikes: questions, reports,
    quotations, one-off orders. `reaction` finds exclamations and objections, `at_hand` what is
    about one thing at hand, although it may have the form of a rule, and `orders` orders that give
    a reason.
    """

    explicit: re.Pattern[str]
    neither: re.Pattern[str]
    sure: re.Pattern[str] | None = None  # makes a wish whatever the words
    insistent: re.Pattern[str] | None = None
    reaction: re.Pattern[str] | None = None
    rules: Rules | None = None
    at_hand: re.Pattern[str] | None = None
    orders: Orders | None = None

    def form_suffices(self, sentence: str, scores: tuple[float, float]) -> bool:
        """Return whether a form makes a sentence a wish, unless its scores tell against it.

        `scores` are those by `WEIGHTS` and `TYPED`.
        """
        rules = self.rules
        leads = self.explicit.match(sentence) and not _STATES.match(sentence)
        forms = (
            (_SURELY, self.sure and self.sure.search(sentence)),
            (_INSISTENTLY, self.insistent and self.insistent.search(sentence)),
            (_LEADING, leads),
            (_EXPLICITLY, self.explicit.search(sentence)),
            (_AS_RULE, rules and rules.forms.search(sentence)),
            (_UNIVERSALLY, rules and rules.universal.search(sentence)),
        )
        return any(found and all(map(operator.gt, scores, least)) for least, found in forms)

    def evidence(self, sentence: str, timeless: str) -> float:
        """Return how much a sentence's form adds to its score; `timeless` has no named times."""
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
