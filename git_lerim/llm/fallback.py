"""A language model with a second model that is asked if the first one fails."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from git_lerim.errors import ModelFailed
from git_lerim.llm.base import Answer, Hear, Message, Model

_ENOUGH = 2  # failures in a row after which the first model is skipped


@dataclass(kw_only=True)
class WithFallback:
    """Two models as one, under the name of the first."""

    first: Model
    open_second: Callable[[], Model]  # opens the second model, when it is needed
    _failed: int = 0  # failures of the first model in a row

    @property
    def name(self) -> str:
        """The name of the first model."""
        return self.first.name

    @cached_property
    def _second(self) -> Model:
        return self.open_second()

    def ask(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        *,
        hear: Hear | None = None,
    ) -> Answer:
        """Return the first model's answer or, if that model fails, the second model's.

        If the first model fails after `hear` received a part of its answer, the second one is not
        asked. If both fail, ModelFailed is raised with both reasons.
        """
        heard: list[str] = []

        def listen(piece: str) -> None:
            heard.append(piece)
            if hear:
                hear(piece)

        why = "the first model failed before"
        if self._failed < _ENOUGH:
            try:
                found = self.first.ask(messages, schema, hear=listen if hear else None)
            except ModelFailed as error:
                self._failed += not error.refused
                if heard:  # the caller already got a part of this answer
                    raise
                why = str(error)
            else:
                self._failed = 0
                return found
        try:
            return replace(self._second.ask(messages, schema, hear=hear), model=self._second.name)
        except ModelFailed as error:
            raise ModelFailed(
                f"{why}; then {error}", hint=error.hint, refused=error.refused
            ) from None
