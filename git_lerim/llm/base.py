"""The interface of language and embedding models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Vector = list[float]
SCHEMA_TEXT = "Answer with one JSON object that fits this JSON schema, and with nothing else:\n"
Hear = Callable[[str], None]  # is called with each piece of an answer
Message = tuple[str, str]  # role (system, user or assistant) and text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A model's answer, and its cost in tokens."""

    text: str
    is_cut: bool = False  # cut off at the token limit
    tokens_in: int = 0  # as reported by the endpoint, else 0
    tokens_out: int = 0
    model: str = ""  # the model that answered, if not the first one


class Model(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """The model's name, as recorded in commits."""
        ...

    def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        hear: Hear | None = None,
    ) -> Answer:
        """Return the answer to messages. Raises ModelFailed.

        With a schema the answer is JSON, and fits the schema if the endpoint supports that. `hear`
        is called with the text of the answer, in pieces if the model can stream.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The results of a trial request to a model."""

    seconds: float
    takes_schema: bool | None = None  # None: not tried, the schema is part of the prompt
    context: int | None = None  # tokens, if the endpoint tells


class Embedder(Protocol):
    """A model that maps texts to vectors, similar ones close to each other."""

    @property
    def model(self) -> str:
        """The model's name; vectors of different models cannot be compared."""
        ...

    def embed(self, texts: Sequence[str], *, patience: float) -> list[Vector]:
        """Return a vector for each text, all of the same length. Raises ModelFailed.

        `patience` is the longest time to wait, in seconds.
        """
        ...
