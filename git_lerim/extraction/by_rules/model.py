"""The trained weights of the signals, and what a passage is worth by them."""

import json
from collections.abc import Mapping
from functools import cache
from math import exp
from pathlib import Path

_WEIGHTS = Path(__file__).with_name("weights.json")


@cache
def trained() -> Mapping[str, float]:
    """Return the weights that come with the package."""
    loaded: dict[str, float] = json.loads(_WEIGHTS.read_text(encoding="utf-8"))
    return loaded


def worth(signals: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return how likely it is that a passage with these signals is worth keeping: 0 to 1."""
    return _chance(signals, weights, "bias")


def leans(leanings: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return how likely it is that a memory with these leanings is a decision: 0 to 1."""
    return _chance(leanings, weights, "leans_bias")


def _chance(found: Mapping[str, float], weights: Mapping[str, float], bias: str) -> float:
    total = weights.get(bias, 0.0) + sum([value * weights.get(name, 0.0) for name, value in found.items() if value])
    return 1 / (1 + exp(-total))
