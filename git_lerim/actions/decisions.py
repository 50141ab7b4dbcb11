"""Keep agents from undoing a person's decision to archive, protect or judge a memory."""

from dataclasses import replace

from git_lerim.actions.authorship import SAID, by_agent, refuse_agent, refuse_persons_words
from git_lerim.errors import Declined
from git_lerim.memories.feedback import CONFIRMED, Voice
from git_lerim.memories.memory import Kind, Memory, Origin, Status
from git_lerim.storage.base import Change
from git_lerim.workspace import Workspace

_BY_AGENT = ("Lerim-By", "agent")
# operations by which a person or an agent archives a memory, or cancels a handoff
_ARCHIVES = ("forget", "undo", "handoff")


def signed(ws: Workspace, change: Change) -> Change:
    """Mark a change as an agent's if an agent runs this command."""
    return replace(change, trailers=(*change.trailers, _BY_AGENT)) if by_agent(ws) else change


def refuse_agents_change(ws: Workspace, old: Memory, new: Memory) -> None:
    """Raise Declined if an agent changes what only a person may change.

    These are a person's memories and decisions, and what is a preference: that must quote the user.
    """
    if not by_agent(ws):
        return
    refuse_persons_words(ws, old)
    if new.kind is Kind.PREFERENCE is not old.kind:
        raise Declined(
            f"only the user can state a preference; {old.id} was not changed",
            hint="to record one: git lerim remember --kind preference --user-words TEXT, with the"
            " user's own words as TEXT",
        )
    is_put_away = new.status is not Status.ACTIVE and new.text == old.text
    if is_put_away and _gives_users_words(old):
        refuse_agent(ws, f"{old.id} gives a person's own words, and was not changed")
    is_back = old.status is Status.ARCHIVED and new.status is not Status.ARCHIVED
    if is_back and did_person_archive(ws, old):
        refuse_agent(ws, f"{old.id} was archived by a person, and was not restored")
    if old.protected and not new.protected and _did_person_protect(ws, old):
        refuse_agent(ws, f"{old.id} was protected by a person, and was not changed")
    if new.text != old.text and _is_vouched_for(ws, old):
        refuse_agent(ws, f"{old.id} was protected or confirmed by a person, and was not changed")
    if any(row.by is Voice.PERSON for row in {*old.feedback} - {*new.feedback}):
        refuse_agent(ws, f"a person gave feedback on {old.id}, which was not taken back")


def _is_vouched_for(ws: Workspace, memory: Memory) -> bool:
    """Return whether a person protected or confirmed a memory, so that its words must stay."""
    confirmed = any(r.by is Voice.PERSON and r.verdict == CONFIRMED for r in memory.feedback)
    return confirmed or (memory.protected and _did_person_protect(ws, memory))


def _gives_users_words(memory: Memory) -> bool:
    """Return whether an agent's memory quotes the user, as a session has confirmed."""
    is_active = memory.status is Status.ACTIVE
    return is_active and SAID in memory.body and bool(memory.sources)


def did_person_archive(ws: Workspace, memory: Memory) -> bool:
    """Return whether a person archived a memory, and not maintenance or an agent.

    In a work tree, where the user's own commits do not say so, a person may have.
    """
    for commit in ws.store.history():
        if ("Lerim-Archived", memory.id) in commit.trailers:
            is_decided = dict(commit.trailers).get("Lerim-Op") in _ARCHIVES
            return is_decided and _BY_AGENT not in commit.trailers
    return ws.in_tree or memory.origin is not Origin.AGENT  # not committed yet


def _did_person_protect(ws: Workspace, memory: Memory) -> bool:
    named = {("Lerim-Op", "protect"), ("Lerim-Changed", memory.id)}
    for commit in ws.store.history():
        if named <= {*commit.trailers}:
            return _BY_AGENT not in commit.trailers
    return memory.origin is not Origin.AGENT
