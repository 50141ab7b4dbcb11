"""The type of the patterns by which wishes in one language are recognized."""

import re
from collections.abc import Callable
from dataclasses import dataclass


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return one case-insensitive pattern that matches what any of `patterns` matches."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Language:
    """How a wish is expressed in one language.

    `explicit` finds words for all times (always, never, from now on). `general` finds
    statements and orders that are general without such a word; they count only if a message says
    little else. `neither` finds look-alikes: questions, reports, quotations, one-off orders.
    """

    explicit: Callable[[str], object]
    general: Callable[[str], object]
    neither: Callable[[str], object]
