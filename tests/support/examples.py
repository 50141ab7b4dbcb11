"""How many examples hypothesis tries of what is slow: a quarter, and with
`pytest --hypothesis-profile=thorough` all.
"""

from hypothesis import settings


def examples(thorough: int) -> int:
    """Return how many of so many are tried now."""
    return thorough if settings.get_current_profile_name() == "thorough" else thorough // 4
