"""Give an open handoff to a session that starts, but only once."""

from git_lerim.actions.handoffs import claim_handoff
from git_lerim.actions.handoffs.handoff_view import fence_handoff
from git_lerim.errors import LerimError
from git_lerim.workspace import open_workspace


def claim_text(agent: str, session: str) -> str:
    """Claim the handoff for this session and return its fenced text, or "" if there is none."""
    ws = open_workspace()
    try:
        done = claim_handoff.claim(ws, None, agent=agent, session=session)
    except LerimError:  # none for this branch, or another session was faster
        return ""
    return fence_handoff(ws, done.row)
