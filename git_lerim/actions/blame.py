"""Show which commit, author, agent and session wrote each line of a memory."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from git_lerim.actions.authorship import by_agent
from git_lerim.actions.doubted_commits import readable
from git_lerim.actions.listing import find_memory
from git_lerim.actions.mistrust import doubts, hint
from git_lerim.actions.redacted_texts import redact_lines
from git_lerim.errors import Declined
from git_lerim.git.history import memory_blame
from git_lerim.storage import open_store
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.workspace import Workspace

_FIELD = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One line of a memory's file and who wrote it."""

    field: str  # a field of the front matter, or `body`
    text: str
    commit: str
    at: datetime | None
    author: str  # git author name
    operation: str  # of the commit: sync, edit, …
    session: str  # agent and session; empty if a person wrote it


def blame(ws: Workspace, prefix: str, at: str | None) -> list[Written]:
    """Return the lines of a memory's file with who wrote each, without the `---` lines.

    Raises Declined if an agent asks for a memory that is not trusted.
    """
    snapshot = ws.store.snapshot(at)
    item = find_memory(snapshot, prefix)
    if by_agent(ws) and (why := doubts(ws, ws.store.named([item], at), at)):
        raise Declined(f"{item.memory.id} is {why[item.path]}", hint=hint(item.memory.id))
    tree = open_store.tree_of(ws)
    lines = list(
        tree.blamed(item, at)
        if tree
        else memory_blame.blame_commit(ws.place, snapshot.commit or "", item.path)
    )
    commits = _commits(ws, {line.commit for line in lines})
    rows: list[Written] = []
    field = ""
    fences = 0
    for line in lines:
        if fences < 2 and line.text.rstrip() == "---":
            fences += 1
            continue
        named = _FIELD.match(line.text)
        field = "body" if fences == 2 else named[1] if named else field
        rows.append(_written(field, line, commits.get(line.commit)))
    texts = redact_lines(ws, [row.text for row in rows])
    return [replace(row, text=text) for row, text in zip(rows, texts, strict=True)]


def _commits(ws: Workspace, wanted: Collection[str]) -> dict[str, LoggedCommit]:
    """Map ids to commits; for an agent, the messages and files of untrusted ones are removed."""
    found = [commit for commit in ws.store.history() if commit.id in wanted]
    return {commit.id: commit for commit in (readable(ws, found) if by_agent(ws) else found)}


def _written(field: str, line: memory_blame.Line, commit: LoggedCommit | None) -> Written:
    trailers = dict(commit.trailers) if commit else {}
    agent, session = trailers.get("Lerim-Agent", ""), trailers.get("Lerim-Session", "")
    return Written(
        field=field,
        text=line.text,
        commit=line.commit,
        at=commit.at if commit else None,
        author=commit.author if commit else "" if line.commit.strip("0") else "not committed yet",
        operation=trailers.get("Lerim-Op", ""),
        session=session if not agent or session.startswith(f"{agent}/") else f"{agent}/{session}",
    )
