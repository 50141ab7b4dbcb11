"""Build the request to a model: prompt, JSON schema, and the memories of earlier readings."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from git_lerim.extraction.base import Brief
from git_lerim.extraction.by_model.answer import Type, Unusable, Value, Verdict
from git_lerim.extraction.by_model.known import Known
from git_lerim.extraction.by_model.material import SESSION, Material
from git_lerim.llm.base import Message

TEXT = {"type": "string"}  # JSON schema of a string
TYPES, VALUES, VERDICTS = (get_args(each) for each in (Type, Value, Verdict))


@cache
def prompt_text(name: str) -> str:
    """Return the text of a prompt, given the name of its file in this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def messages(
    transcript: str, known: Sequence[Known], brief: Brief | None, material: Material = SESSION
) -> list[Message]:
    """Return the request to a model about one session, or a window of it.

    The same arguments always yield the same request.
    """
    heading = material.name.upper()
    told = f"{heading}\n{transcript}\nEND OF {heading}"
    if known:
        told += f"\n\n{prompt_text(material.known)}\n\n" + "\n".join(one.shown() for one in known)
        if brief:
            told += f"\nSummary: intent: {brief.intent}\n outcome: {brief.outcome}"
    return [("system", prompt_text(material.prompt)), ("user", told)]


def repair(faults: Sequence[str]) -> str:
    """Return the message that asks a model to correct the faults of its answer."""
    named = "\n".join(f"- {fault}" for fault in faults)
    return (
        f"This answer cannot be used as it is:\n{named}\nWrite the whole answer again as JSON,"
        " corrected. Leave out a memory that the records do not support."
    )


def repair_json(fault: Unusable, ending: str = ".") -> str:
    """Return the message that asks a model to write an unusable answer again as JSON.

    `ending` is the end of the message's last sentence.
    """
    return (
        f"This answer cannot be used: {fault}\nWrite the whole answer again as one JSON object that"
        f" fits the schema{ending}"
    )


def schema(*, with_known: bool, bases: Sequence[str] = SESSION.bases) -> dict[str, Any]:
    """Return the JSON schema of an answer, limited to what strict structured output allows.

    With `with_known`, the model also judges known memories. `bases` lists what a memory can be
    based on.
    """
    number = {"type": "integer"}
    numbers = array_schema(number)
    memory = {
        "records": numbers, "quote": TEXT, "final_record": number, "basis": enum_schema(bases),
        "type": enum_schema(TYPES),
        **({"revises": TEXT} if with_known else {}),
        "title": TEXT, "body": TEXT, "files": array_schema(TEXT),
        "value": enum_schema(VALUES), "missing": TEXT, "keep": number,
    }  # fmt: skip
    verdict = object_schema({"id": TEXT, "records": numbers, "verdict": enum_schema(VERDICTS)})
    return object_schema(
        {
            "intent": TEXT,
            "outcome": TEXT,
            **({"known": array_schema(verdict)} if with_known else {}),
            "memories": array_schema(object_schema(memory)),
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


def array_schema(items: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a list whose items have the schema `items`."""
    return {"type": "array", "items": items}


def enum_schema(values: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema of a string that is one of `values`."""
    return TEXT | {"enum": list(values)}
