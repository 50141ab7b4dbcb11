"""Parse a model's answer; a fault is worded so that it can be sent back to the model."""

import re
from typing import Literal, TypeAlias, TypeVar

import msgspec

T = TypeVar("T")

# what a memory is based on
Basis: TypeAlias = Literal[
    "user_decided", "user_agreed", "agent_did", "shown", "explained", "inferred", "proposed_only"
]
Type: TypeAlias = Literal["decision", "preference", "pitfall", "procedure", "fact", "insight"]
Value: TypeAlias = Literal["essential", "useful", "marginal"]
Verdict: TypeAlias = Literal["keep", "change", "withdraw"]

_THOUGHTS_END = "</think>"  # some servers leave out the opening tag
_FENCE = re.compile(r"```(?:json)?[ \t]*\n")
LONGEST = 1 << 20  # characters


class Item(msgspec.Struct, kw_only=True):
    """One memory in a model's answer, as the model wrote it."""

    records: list[int]
    quote: str
    final_record: int = 0
    basis: Basis
    type: Type
    title: str
    body: str
    files: list[str] = []
    value: Value = "useful"
    missing: str = ""  # it only makes the model think before it says `keep`
    keep: int | None = None
    revises: str = ""


class Judgement(msgspec.Struct, kw_only=True):
    """A model's verdict on a memory it was shown, and the records that support the verdict."""

    id: str
    verdict: Verdict
    records: list[int] = []


class Reply(msgspec.Struct, kw_only=True):
    """A model's whole answer: summary, verdicts on known memories, and new memories."""

    intent: str = ""
    outcome: str = ""
    known: list[Judgement] = []
    memories: list[Item]


class Unusable(ValueError):
    """An answer of a model that cannot be used; the error's text says why."""


def read(text: str, *, is_cut: bool) -> Reply:
    """Parse a model's answer about a session. Raises Unusable.

    `is_cut` says whether the answer was cut off at the token limit.
    """
    return decoded(text, Reply, is_cut=is_cut)


def decoded(text: str, kind: type[T], *, is_cut: bool) -> T:
    """Decode the one JSON object in a model's answer into an object of type `kind`.

    Raises Unusable. `is_cut` says whether the answer was cut off at the token limit.
    """
    if not text.strip():
        raise Unusable("it is empty")
    if len(text) > LONGEST:
        raise Unusable("it is far too long")
    try:
        return msgspec.json.decode(_json_in(text), type=kind)
    except msgspec.ValidationError as error:
        raise Unusable(f"it does not fit the schema: {error}") from None
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Unusable(
            "it was cut off before its end: write less" if is_cut else "it is not one JSON object"
        ) from None


def _json_in(text: str) -> str:
    """Return the JSON in an answer that may also contain thoughts, prose or a code fence."""
    text = text.strip()
    if text.startswith("{"):
        return text
    before, ended, after = text.partition(_THOUGHTS_END)
    text = after if ended else before
    if fence := _FENCE.search(text):
        inside, closed, _ = text[fence.end() :].partition("```")
        if closed:
            return inside
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
