"""Decode an endpoint's answer: a completion, whole or streamed."""

from collections.abc import Callable

import msgspec

LARGEST = 1 << 22  # bytes of an answer


class Text(msgspec.Struct):
    """The text of a model's answer, or a piece of it."""

    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None


class Choice(msgspec.Struct):
    """One answer, or a piece of one in a stream."""

    message: Text = msgspec.field(default_factory=Text)
    delta: Text = msgspec.field(default_factory=Text)
    finish_reason: str | None = None


class Usage(msgspec.Struct):
    """The numbers of tokens that the endpoint counted."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(msgspec.Struct):
    """A whole answer, or one event of a stream."""

    choices: list[Choice] = []
    usage: Usage | None = None


def decode(raw: bytes) -> Completion | None:
    """Decode a completion from JSON; return None if it is not a valid completion."""
    try:
        found = msgspec.json.decode(raw, type=Completion)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return found if found.choices else None


class Stream:
    """A streamed answer, assembled from its bytes while each piece of text is passed on.

    An answer that is not streamed is accepted, too.
    """

    def __init__(self, hear: Callable[[str], None]) -> None:
        """Initialize with a function that is called with each piece of text."""
        self.size = 0
        self._hear = hear
        self._rest = b""
        self._plain: list[bytes] = []
        self._text = Text(content="", refusal="", reasoning_content="")
        self._usage: Usage | None = None
        self._finish: str | None = None
        self._is_done = self._has_events = False

    def add(self, piece: bytes) -> None:
        """Process the next bytes of the answer."""
        self.size += len(piece)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._line(line)

    def completion(self) -> Completion | None:
        """Return the whole answer, or None if it is invalid or incomplete."""
        self._line(self._rest)
        self._rest = b""
        if not self._has_events:
            found = decode(b"\n".join(self._plain))
            if found and found.choices[0].message.content:
                self._hear(found.choices[0].message.content)
            return found
        if not (self._is_done or self._finish):
            return None
        return Completion(
            choices=[Choice(message=self._text, finish_reason=self._finish)], usage=self._usage
        )

    def _line(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            self._plain.append(line)
            return
        self._has_events = True
        data = line.removeprefix(b"data:").strip()
        self._is_done = self._is_done or data == b"[DONE]"
        try:
            event = msgspec.json.decode(data, type=Completion)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return
        self._usage = event.usage or self._usage
        for choice in event.choices[:1]:
            self._finish = choice.finish_reason or self._finish
            for name in ("content", "refusal", "reasoning_content"):
                setattr(
                    self._text,
                    name,
                    (getattr(self._text, name) or "") + (getattr(choice.delta, name) or ""),
                )
            if choice.delta.content:
                self._hear(choice.delta.content)
