"""Approve settings in a repository's configuration that need the user's consent.

Such settings choose what is read, which model, endpoint and key are used, or whether to push
automatically, or they weaken safeguards.
"""

from git_lerim import config
from git_lerim.actions.authorship import by_agent, refuse_agent
from git_lerim.actions.reset import delete
from git_lerim.git import gitconfig
from git_lerim.workspace import Workspace

DECIDED_BY_TRUST = ("index.sqlite3*", "listing*", "briefs")
_UNCHANGED = "unchanged"  # file: the inputs of the last no-op sync, which lack these settings


def allow(ws: Workspace) -> None:
    """Approve permanently the settings that wait for the user's consent.

    Raises Declined if an agent runs the command, ReadOnly if the consent cannot be saved.
    """
    refuse_agent(ws, "these settings can read more data, send data elsewhere or weaken a safeguard")
    ws.consent.allow(ws.settings.asking)
    delete(ws.folder, (*DECIDED_BY_TRUST, _UNCHANGED))


def allow_set(ws: Workspace) -> None:
    """Approve the settings that a command has just written for its user.

    Nothing is approved if other settings also wait for consent, or if an agent runs the command.
    """
    if not ws.personal and not ws.settings.asking and not by_agent(ws):
        ws.consent.allow(
            config.settings_from(
                gitconfig.read(ws.place), ws.env, str(ws.home), ws.consent.allows
            ).asking
        )
