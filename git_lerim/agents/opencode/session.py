"""Turn the messages of one session into a reading."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from git_lerim.agents.base import Reading
from git_lerim.agents.lines import objects
from git_lerim.agents.opencode.messages import Message, Place, header, model_of, records
from git_lerim.sessions.session import Record


def reading_of(
    session: str,
    info: Mapping[str, Any],
    messages: Iterator[Message],
    place: Place,
    warnings: list[str],
) -> Reading:
    """Return a whole session as one reading, with reverted messages marked as abandoned."""
    found: list[Record] = []
    stored, model, undone = 0, "", False
    back = (place.revert or {}).get("messageID")
    for message in messages:
        stored += 1
        model = model_of(message) or model
        new = list(records(message, place))
        undone = undone or (message.id == back and not (place.revert or {}).get("partID"))
        found += [replace(record, abandoned=True) for record in new] if undone else new
        undone = undone or message.id == back
    # a part must not replace its parent's title
    return Reading(
        session=session,
        part=place.part,
        header=replace(header(info, model), title="") if place.part else header(info, model),
        records=tuple(found),
        restart=True,
        stored=stored,
        warnings=tuple(warnings),
    )


def decoded(data: Any, name: str, warnings: list[str]) -> dict[str, Any]:
    """Return a JSON object; if the data is anything else, return an empty one and add a warning.

    `name` says in the warning what could not be read.
    """
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    found, understood = objects(raw) if isinstance(raw, bytes) else ([], False)
    if not (found and understood):
        warnings.append(f"{name}: not JSON, left out")
    return found[0] if found else {}
