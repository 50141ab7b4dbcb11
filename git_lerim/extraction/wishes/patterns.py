"""The type of the patterns by which wishes in one language are recognized."""

import re
from dataclasses import dataclass


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one case-insensitive pattern that matches what any of `patterns` matches."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Language:
    """How a wish is expressed in one language.

    `explicit` matches words for all times (always, never, from now on). `general` matches
    statements and orders that are general without such a word; they count only if a message says
    little else. `neither` matches look-alikes: questions, reports, quotations, one-off orders.
    """

    explicit: re.Pattern[str]
    general: re.Pattern[str]
    neither: re.Pattern[str]
