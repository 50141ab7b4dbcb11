"""What a model is to those who ask it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Vector = list[float]
SCHEMA_TEXT = "Answer with one JSON object that fits this JSON schema, and with nothing else:\n"
Hear = Callable[[str], None]  # takes each piece of an answer as it is written
Message = tuple[str, str]  # role (system, user or assistant) and text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model answered, and what that took."""

    text: str
    is_cut: bool = False  # it ended at a limit of tokens
    tokens_in: int = 0  # as the endpoint counts them; 0 where it does not say
    tokens_out: int = 0
    model: str = ""  # which one answered, where that is not the one that was asked


class Model(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """Its name, as commits record it."""
        ...

    def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        hear: Hear | None = None,
    ) -> Answer:
        """Return its answer; JSON that fits a schema if one is given, as far as the endpoint can.
        Raises ModelFailed.

        `hear` is given the text of the answer, while it is written where the model can be followed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What trying out a model showed."""

    seconds: float
    takes_schema: bool | None = None  # None: it is told in words
    context: int | None = None  # tokens, as the endpoint says; None where it does not


class Embedder(Protocol):
    """A model that puts texts in a space where those that mean the same lie near each other."""

    @property
    def model(self) -> str:
        """Its name: vectors of two models cannot be compared."""
        ...

    def embed(self, texts: Sequence[str], *, patience: float) -> list[Vector]:
        """Return the vector of each text, all of one length, within so many seconds. Raises
        ModelFailed.
        """
        ...
