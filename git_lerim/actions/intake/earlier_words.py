"""Find the user's words that an agent's new memory quotes in sessions that were read before."""

from git_lerim.actions.authorship import UNCONFIRMED
from git_lerim.actions.intake.adoption import confirmed_by, messages_of
from git_lerim.memories.memory import Memory
from git_lerim.sessions.entry import State
from git_lerim.workspace import Workspace

_SESSIONS = 100  # the newest ones, in which the words are looked for
_READ = (State.EXTRACTED, State.NOTHING)


def with_earlier_words(ws: Workspace, memory: Memory) -> Memory:
    """Activate a memory that quotes the user, if the user said so in a session read before.

    Words that the user took back since do not count.
    """
    if memory.suspect not in UNCONFIRMED:
        return memory
    later: list[str] = []
    with ws.catalog_to_read() as catalog:
        for entry in catalog.entries("state IN (?, ?) AND kept", _READ)[:_SESSIONS]:
            session = catalog.session(entry)
            if found := confirmed_by(memory, session, later):
                return found[0]
            later = [*(text for _, text in messages_of(session)), *later]
    return memory
