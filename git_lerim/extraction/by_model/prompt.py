"""The request to a model: prompt, schema, and the memories of earlier readings."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from git_lerim.extraction.base import Brief
from git_lerim.extraction.by_model.known import Known
from git_lerim.extraction.by_model.material import SESSION, Material
from git_lerim.llm.base import Message

TYPES = ("decision", "preference", "pitfall", "procedure", "fact", "insight")
VALUES = ("essential", "useful", "marginal")
VERDICTS = ("keep", "change", "withdraw")


@cache
def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def messages(
    transcript: str, known: Sequence[Known], brief: Brief | None, material: Material = SESSION
) -> list[Message]:
    """Return the deterministic request about one session, or a window of it."""
    heading = material.name.upper()
    told = f"{heading}\n{transcript}\nEND OF {heading}"
    if known:
        told += f"\n\n{_text(material.known)}\n\n" + "\n".join(one.shown() for one in known)
        if brief:
            told += f"\nSummary: intent: {brief.intent}\n outcome: {brief.outcome}"
    return [("system", _text(material.prompt)), ("user", told)]


def repair(faults: Sequence[str]) -> str:
    """Return the message to a model whose answer has faults."""
    named = "\n".join(f"- {fault}" for fault in faults)
    return (
        f"This answer cannot be used as it is:\n{named}\nWrite the whole answer again as JSON,"
        " corrected. Leave out a memory that the records do not support."
    )


def schema(*, with_known: bool, bases: Sequence[str] = SESSION.bases) -> dict[str, Any]:
    """Return the JSON schema of an answer, within the subset of strict structured output."""
    text, number = {"type": "string"}, {"type": "integer"}
    numbers = {"type": "array", "items": number}
    memory = {
        "records": numbers, "quote": text, "final_record": number, "basis": _enum(bases),
        "type": _enum(TYPES),
        **({"revises": text} if with_known else {}),
        "title": text, "body": text, "files": {"type": "array", "items": text},
        "value": _enum(VALUES),
    }  # fmt: skip
    verdict = object_schema({"id": text, "records": numbers, "verdict": _enum(VERDICTS)})
    return object_schema(
        {
            "intent": text,
            "outcome": text,
            **({"known": {"type": "array", "items": verdict}} if with_known else {}),
            "memories": {"type": "array", "items": object_schema(memory)},
        }
    )


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _enum(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}
