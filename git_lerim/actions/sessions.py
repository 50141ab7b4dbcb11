"""List the discovered sessions, and manage the extraction queue."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from git_lerim.actions.authorship import refuse_agent
from git_lerim.actions.doubted_commits import heading_for_reader
from git_lerim.actions.intake.unscoped import Mismatch
from git_lerim.guarded import needs_consent
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, State
from git_lerim.sessions.gate import clean_id
from git_lerim.sessions.session import moment
from git_lerim.sessions.session_names import find_session
from git_lerim.tokens import clip, counted
from git_lerim.workspace import Workspace

_HIDDEN = (State.ELSEWHERE, State.EMPTY)
_REMOTES = 200  # characters shown of what an agent recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One session in the list."""

    name: str
    title: str
    state: str
    reason: str
    started: str | None
    ended: str | None
    records: int
    prompts: int
    kept: int
    places: list[str]
    tried: int
    model: str
    version: str
    remote: str

    def as_dict(self) -> dict[str, Any]:
        """Return the row in the format of `--json`."""
        return {name: getattr(self, name) for name in self.__slots__}


def list_sessions(ws: Workspace, *, everything: bool) -> list[Row]:
    """Return the sessions, newest first.

    With `everything`, also return empty or ignored ones, and those of other repositories.
    """
    with ws.catalog_to_read() as catalog:
        entries = catalog.entries()
    return [row_of(ws, entry) for entry in entries if everything or entry.state not in _HIDDEN]


def get_session(ws: Workspace, name: str) -> Row:
    """Return the session that has this name, or an id that begins or ends with it.

    Raises UnknownMemory.
    """
    with ws.catalog_to_read() as catalog:
        return row_of(ws, find_session(catalog.entries(), name))


def list_queue(ws: Workspace) -> list[Row]:
    """Return the sessions that wait, failed or were skipped."""
    with ws.catalog_to_read() as catalog:
        return [
            row_of(ws, entry)
            for entry in catalog.entries(
                "state IN (?, ?, ?)", (State.WAITING, State.FAILED, State.SKIPPED)
            )
        ]


def retry(ws: Workspace, names: Sequence[str]) -> list[Row]:
    """Put the named sessions, or all failed ones, back in the queue.

    Raises Declined if an agent names one that a person skipped or purged.
    """
    with ws.catalog() as catalog:
        chosen = (
            [find_session(catalog.entries(), name) for name in names]
            if names
            else catalog.entries("state = ?", (State.FAILED,))
        )
        for entry in chosen:
            if entry.state is State.SKIPPED:
                refuse_agent(ws, f"{entry.name} was skipped by a person")
        for entry in chosen:
            queue.retry(catalog, entry)
        return _again(ws, catalog, chosen)


def skip(ws: Workspace, names: Sequence[str]) -> list[Row]:
    """Exclude sessions from extraction. Raises Declined if an agent runs this command."""
    refuse_agent(ws, "this keeps what a person said out of the memory")
    with ws.catalog() as catalog:
        chosen = [find_session(catalog.entries(), name) for name in names]
        for entry in chosen:
            queue.skip(catalog, entry)
        return _again(ws, catalog, chosen)


def _again(ws: Workspace, catalog: Catalog, entries: Sequence[Entry]) -> list[Row]:
    return [row_of(ws, now) for entry in entries if (now := catalog.entry(entry.agent, entry.id))]


def read_session(ws: Workspace, agent: str, id_: str) -> str | None:
    """Return the name of an agent's session, or None if no sync has read the session yet."""
    id_ = clean_id(id_, ws.redactor)
    with ws.catalog_to_read() as catalog:
        return next((e.name for e in catalog.entries() if (e.agent, e.id) == (agent, id_)), None)


def row_of(ws: Workspace, entry: Entry) -> Row:
    """Return a session of the catalog as a row."""
    return Row(
        name=entry.name,
        title=heading_for_reader(ws, entry.header),
        state=entry.state,
        reason=entry.reason,
        started=_time(entry.started),
        ended=_time(entry.ended),
        records=entry.stored,
        prompts=entry.prompts,
        kept=entry.kept,
        places=list(entry.places),
        tried=entry.tried,
        model=entry.header.model,
        version=entry.header.version,
        remote=entry.header.remote,
    )


def _time(milliseconds: int | None) -> str | None:
    return f"{moment(milliseconds):%Y-%m-%dT%H:%M:%SZ}" if milliseconds is not None else None


def mismatch_lines(found: Mismatch) -> tuple[str, str, str]:
    """Return why sessions in a work tree were not used, and the command that adopts them."""
    ran = counted(found.sessions, "session")
    remotes = clip(" ".join(", ".join(found.remotes).split()), _REMOTES)
    return (
        f"{ran} ran in {found.tree} with a remote that this repository does not have: {remotes}",
        "if that is this repository under another address, adopt them by running:",
        f"  {adopting_command(found.tree)}",
    )


def adopting_lines(folder: str, name: str | None) -> list[str]:
    """Return lines with the command that adopts a folder's sessions.

    `name` is the folder's path if the agent recorded only a digest of it, else None.
    """
    about = [f"  for {name} (the agent recorded only a digest of this path):"] if name else []
    return [*about, f"  {adopting_command(folder)}"]


def adopting_command(folder: str) -> str:
    """Return the shell command that adopts the sessions of a folder."""
    allow = " && git lerim allow" if needs_consent(folder) else ""
    return f"git config --add lerim.repositoryPath {shlex.quote(folder)}{allow}"
