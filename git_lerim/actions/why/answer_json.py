"""Format the answer of `git lerim why` as JSON."""

from collections.abc import Sequence
from typing import Any

from git_lerim.actions import listing
from git_lerim.actions.judged import marked
from git_lerim.actions.why.commit_sessions import Step
from git_lerim.actions.why.why import Answer
from git_lerim.recall.why.commit_links import Link
from git_lerim.recall.why.why import Hit
from git_lerim.sessions.entry import Entry
from git_lerim.sessions.session import moment
from git_lerim.workspace import Workspace


def as_json(ws: Workspace, answer: Answer, limit: int) -> dict[str, Any]:
    """Return an answer as `git lerim why --json` prints it, with at most `limit` memories."""
    asked, chosen = answer.target, answer.hits[:limit]
    items = [answer.stored[hit.memory.id] for hit in chosen]
    rows = zip(items, listing.as_json(ws, items), strict=True)
    memories = [marked(ws, answer.doubts.get(item.path), row) for item, row in rows]
    return {
        "path": asked.path,
        "lines": list(asked.lines) if asked.lines else None,
        "state": asked.state,
        "commit": None if asked.live else asked.tip,
        "removed_by": asked.gone.id if asked.gone else None,
        "renamed_to": answer.now,
        "names": list(answer.names),
        "memories": [
            memory | _found(hit) | {"close": hit.close}
            for memory, hit in zip(memories, chosen, strict=True)
        ],
        "commits": [_step_json(answer, step, links) for step, links in answer.steps],
    }


def _found(found: Hit | Link) -> dict[str, Any]:
    return {"sureness": found.sureness, "sure": found.word, "found": list(found.how)}


def _step_json(answer: Answer, step: Step, links: Sequence[Link]) -> dict[str, Any]:
    commit = step.commit
    return {
        "id": commit.id or None,
        "at": listing.iso(moment(commit.committed * 1000)),
        "author": commit.author,
        "subject": commit.subject,
        "paths": list(step.names),
        "lines": [list(pair) for pair in step.lines],
        "moved": step.moved,
        "sessions": [
            _session_json(link, answer.sessions.get((link.agent, link.session))) for link in links
        ],
    }


def _session_json(link: Link, entry: Entry | None) -> dict[str, Any]:
    times = (entry.started, entry.ended) if entry else (None, None)
    started, ended = (listing.iso(moment(time)) if time is not None else None for time in times)
    title = entry.header.heading if entry else ""
    here = {
        "agent": link.agent,
        "session": link.session,
        "title": title,
        "started": started,
        "ended": ended,
    }
    return here | {"local": entry is not None} | _found(link)
