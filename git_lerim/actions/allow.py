"""Allow a repository's own configuration to set what otherwise only the user may.

These are the endpoint, the key, the model, automatic push and a laxer guard.
"""

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.reset import delete
from git_lerim.workspace import Workspace

DECIDED_BY_TRUST = ("index.sqlite3*", "listing*", "briefs")


def allow(ws: Workspace) -> None:
    """Approve the pending settings from now on. Raises Declined, ReadOnly."""
    refuse_agent(ws, "these settings can send data away or loosen a guard")
    ws.consent.allow(ws.settings.asking)
    if any(name == "lerim.trust" for name, _ in ws.settings.asking):
        delete(ws.folder, DECIDED_BY_TRUST)  # they were built under the previous lerim.trust
