"""The id of a memory does not depend on what else its session is found to hold."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from support.rules import extract
from support.talk import Talk

from git_lerim.sessions.session import Session

CACHE = "The session cache backend is SQLite instead of Redis because it needs no server"
QUEUE = "The uploader retry queue keeps failed batches on disk rather than in memory"


def listed() -> Talk:
    talk = Talk().prompt("Decide on the session cache backend and on the uploader retry queue.")
    talk.reply("I looked at both.").prompt("session cache backend, uploader retry queue: fine")
    talk.reply("Noted.").compacted(f"## Key decisions\n- {CACHE}.\n- {QUEUE}.\n")
    return talk.reply("Going on with the index page.")


def noted() -> Talk:
    talk = Talk().prompt("Wire the uploader up.").edit("src/up.py")
    return talk.reply(f"Done.\n\n## Gotchas\n\n- {CACHE}.\n- {QUEUE}.")


def planned() -> Talk:
    talk = Talk().prompt("Plan the uploader.").reply("Here it is.")
    return talk.plan(f"# Plan\n\n## Decisions\n\n- {CACHE}.\n- {QUEUE}.\n").reply("Starting.")


def answered() -> Talk:
    """Two questions that one stored record answers."""
    talk = Talk().prompt("Wire the uploader up.").reply("Two questions.")
    talk.answer("Where should the session cache live?", "In SQLite", "In SQLite", "In Redis")
    talk.answer("Where should failed batches of the uploader wait?", "On disk", "On disk")
    first, second = talk.records[-2:]
    talk.records[-1] = replace(second, n=first.n)
    return talk.reply("Ok.")


def ordered() -> Talk:
    """An order, and in the same turn a failure whose cause the agent names."""
    talk = Talk().prompt(
        "The retry of failed batches is broken. Always name the session cache first in logs."
    )
    return talk.edit("src/up.py").reply("**Root cause:** the queue of batches was kept in memory.")


def places(session: Session) -> dict[str, tuple[str, str, str]]:
    return {one.title: (one.origin, one.place, one.primitive) for one in extract(session)}


@pytest.mark.parametrize(
    ("talk", "takes_back"),
    [
        (listed, "Show me the session cache backend timings once more."),
        (noted, "forget about the session cache backend"),
        (planned, "forget about the session cache backend"),
        (answered, "forget about the session cache"),
        (ordered, "forget about the session cache in logs"),
    ],
)
def test_a_memory_never_takes_the_place_of_one_that_its_session_took_back(
    talk: Callable[[], Talk], takes_back: str
) -> None:
    before = places(talk().session())
    after = places(talk().prompt(takes_back).reply("Ok.").session())

    assert len(set(before.values())) == len(before) == 2
    assert after.items() < before.items()
    assert len(after) == 1
    assert next(iter(after)) == list(before)[-1]
