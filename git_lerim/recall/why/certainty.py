"""Combine certainties, and express one as a word."""

from collections.abc import Iterable

SURE, LIKELY = 0.8, 0.5  # below: possible


def together(surenesses: Iterable[float]) -> float:
    """Return the combined certainty of independent reasons."""
    doubt = 1.0
    for sure in surenesses:
        doubt *= 1 - sure
    return round(min(1 - doubt, 0.99), 2)


def word(sureness: float) -> str:
    """Return a certainty as a word: `sure`, `likely` or `possible`."""
    return "sure" if sureness >= SURE else "likely" if sureness >= LIKELY else "possible"
