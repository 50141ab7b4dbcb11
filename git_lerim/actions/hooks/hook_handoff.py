"""Hand an open handoff to the session that begins, once."""

from git_lerim.actions.handoffs import handoff
from git_lerim.actions.handoffs.handoff_view import fenced
from git_lerim.errors import LerimError
from git_lerim.workspace import open_workspace


def claimed(agent: str, session: str) -> str:
    """Return the handoff that this session has taken over, inside a fence; empty where none is for
    it.
    """
    ws = open_workspace()
    try:
        done = handoff.claim(ws, None, agent=agent, session=session)
    except LerimError:  # none is for this branch, or another session was faster
        return ""
    return fenced(ws, done.row)
