"""What a language's list of patterns is made of."""

import re
from dataclasses import dataclass


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one pattern that finds what any of the given ones finds, whatever the case."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Language:
    """How one language says a wish.

    `explicit` holds words that speak of all times (always, never, from now on). `general` holds
    statements and orders that are general without such a word; they count only where a message says
    little else. `neither` holds what looks alike: questions, reports, quotations, one-off orders.
    """

    explicit: re.Pattern[str]
    general: re.Pattern[str]
    neither: re.Pattern[str]
