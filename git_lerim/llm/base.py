"""What a model is to those who ask it."""

from collections.abc import Sequence
from typing import Protocol

Vector = list[float]


class Embedder(Protocol):
    """A model that puts texts in a space where those that mean the same lie near each other."""

    @property
    def model(self) -> str:
        """Its name: vectors of two models cannot be compared."""
        ...

    def embed(self, texts: Sequence[str], *, patience: float) -> list[Vector]:
        """Return the vector of each text, all of one length, within so many seconds. Raises ModelFailed."""
        ...
