"""Recordings with strange values in them, as a newer agent or a broken disk may leave them."""

import json
import random
from typing import Any

import msgspec

from git_lerim.agents.base import Reading
from git_lerim.sessions.session import Header, Record

STRANGE = (
    *(
        None,
        True,
        0,
        -1,
        3.5,
        1e300,
        10**30,
        "",
        "x",
        "\ud83d",
        "2026-13-45T99:99",
        "file://[",
        "\x00",
    ),
    *([], {}, [None], [[]], {"a": 1}, ["x", {"y": 2}], {"text": "q"}, {"type": "text", "text": 5}),
)


def mutated(value: Any, chance: random.Random, often: float = 0.06) -> Any:
    """Return a copy of a JSON value with some of what is in it replaced."""
    if chance.random() < often:
        return chance.choice(STRANGE)
    if isinstance(value, dict):
        return {key: mutated(inner, chance, often) for key, inner in value.items()}
    if isinstance(value, list):
        return [mutated(inner, chance, often) for inner in value]
    return value


def variants(lines: list[dict[str, Any]], count: int = 60) -> list[bytes]:
    """Return files of JSON lines made of these, each with other strange values, the same at every
    run.
    """
    made = []
    for seed in range(count):
        chance = random.Random(seed)  # noqa: S311 the same at every run
        made.append(b"".join(json.dumps(mutated(line, chance)).encode() + b"\n" for line in lines))
    return made


def survives(reading: Reading) -> bool:
    """Say whether a reading is of the right types throughout, so that the cache gives back what it
    is given.
    """
    records = msgspec.json.decode(msgspec.json.encode(reading.records), type=tuple[Record, ...])
    header = msgspec.json.decode(msgspec.json.encode(reading.header), type=Header)
    return (records, header) == (reading.records, reading.header) and isinstance(
        reading.session, str
    )
