import pytest
from support.costs import grows_evenly
from support.memories import memory

from git_lerim.actions.authorship import SAID
from git_lerim.actions.intake.adoption import UNHEARD, adopt_memories
from git_lerim.memories.memory import Kind, Origin, Primitive, Status
from git_lerim.sessions.session import Header, Record, Role, Session
from git_lerim.storage.base import Stored

NOTE = memory(
    origin=Origin.AGENT,
    primitive=Primitive.LEARNING,
    kind=Kind.PREFERENCE,
    status=Status.SUSPECT,
    suspect=UNHEARD,
    sources=(),
    title="Always use pnpm here",
    body=f"The user asked for it.\n\n{SAID}always use pnpm here”",
)


@pytest.mark.parametrize("mark", [".", "!", "。", "ok. ", "\n"])
def test_a_long_run_of_marks_does_not_slow_the_search_for_the_users_words(mark: str) -> None:
    at = int(NOTE.created.timestamp() * 1000)
    call = Record(n=1, role=Role.CALL, tool="remember", text=NOTE.title, at=at)

    def search(size: int) -> None:
        text = f"The tests print {mark * (size // len(mark))} and stop. Always use pnpm here."
        records = (call, Record(n=2, role=Role.PROMPT, text=text))
        session = Session(agent="claude", id="s", header=Header(), records=records)
        adopted = adopt_memories(session, [Stored(memory=NOTE, path="x.md", blob="0")])
        assert adopted[0].status is Status.ACTIVE

    assert grows_evenly(search, 4_500)
