"""Allow a repository's own configuration to set what otherwise only the user may set.

This is what is read, the endpoint, the key, the model, automatic push and weaker safeguards.
"""

from git_lerim import config
from git_lerim.actions.authorship import by_agent, refuse_agent
from git_lerim.actions.reset import delete
from git_lerim.git import gitconfig
from git_lerim.workspace import Workspace

DECIDED_BY_TRUST = ("index.sqlite3*", "listing*", "briefs")
_UNCHANGED = "unchanged"  # file: the inputs of the last no-op sync, without these values


def allow(ws: Workspace) -> None:
    """Approve the pending settings from now on. Raises Declined, ReadOnly."""
    refuse_agent(ws, "these settings can read more data, send data elsewhere or weaken a safeguard")
    ws.consent.allow(ws.settings.asking)
    delete(ws.folder, (*DECIDED_BY_TRUST, _UNCHANGED))


def allow_set(ws: Workspace) -> None:
    """Approve what a verb has just set for its user.

    Nothing is approved where other settings are pending too, or where an agent ran the verb.
    """
    if not ws.personal and not ws.settings.asking and not by_agent(ws):
        ws.consent.allow(
            config.settings_from(
                gitconfig.read(ws.place), ws.env, str(ws.home), ws.consent.allows
            ).asking
        )
