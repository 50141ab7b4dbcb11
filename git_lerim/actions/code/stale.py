"""Find the memories that the code contradicts, each with the change that made it stale.

Memories that a model found still true come last.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from git_lerim.actions import listing
from git_lerim.actions.authorship import by_agent
from git_lerim.actions.code import freshness, visibility
from git_lerim.actions.code.freshness import CachedVerdict, Cause
from git_lerim.errors import UsageError
from git_lerim.memories.memory import Memory
from git_lerim.storage.base import Stored
from git_lerim.workspace import Workspace

FEW = 30  # memories to look up one by one, as in `ask_model`


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """A stale memory, or one that a model found still true, and the cause."""

    item: Stored
    cause: Cause
    standing: CachedVerdict
    is_deleted: bool = False  # whether the file is gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The result of asking a model: the changes proposed, and why some memories were not judged."""

    left: int = 0  # memories that it did not judge
    trouble: str = ""  # why
    proposed: Sequence[Memory] = field(default_factory=tuple)
    branch: str = ""  # of the proposal


def ask(ws: Workspace, paths: Sequence[str], say: Callable[[str], None]) -> Asked:
    """Ask the model about memories whose code has changed, and propose the changes it suggests.

    Does nothing if no model is configured. Raises BadSetting, UsageError.
    """
    head = ws.code.head()
    if not ws.settings["model"] or ws.personal or head is None or not ws.has_memory():
        return Asked()
    from git_lerim.actions.code.ask_model import ask_model  # noqa: PLC0415 few have a model
    from git_lerim.actions.code.propose_changes import propose_changes  # noqa: PLC0415 likewise

    wanted = [_path(ws, path) for path in paths]
    asked = ask_model(ws, head, lambda own: _are_wanted(own, wanted), say)
    done = propose_changes(ws, head, asked)
    trouble = "; ".join(filter(None, (asked.trouble, done.trouble)))
    return Asked(left=asked.left, trouble=trouble, proposed=done.memories, branch=done.branch)


def stale(
    ws: Workspace, *, since: str | None = None, paths: Sequence[str] = (), at: str | None = None
) -> list[Stale]:
    """Return the stale memories, newest change first.

    `since` selects those that became stale after that commit, `paths` those about code in these
    files or folders; `at` is the commit to compare with instead of HEAD. Raises UsageError.
    """
    head = _commit(ws, "--at", at) if at else ws.code.head()
    before = _commit(ws, "--since", since) if since else None
    wanted = [_path(ws, path) for path in paths]
    standings = freshness.of_all(ws, head)
    causes = {id_: cause for id_, one in standings.items() if (cause := freshness.cause_of(one))}
    for named, path in zip(paths, wanted, strict=True):
        if not any(_are_wanted((cause.path, cause.now), [path]) for cause in causes.values()):
            _refuse_unknown(ws, named, path, at)
    away = visibility.hidden_ids(ws) if causes else {}
    chosen = {
        id_: cause
        for id_, cause in causes.items()
        if id_ not in away and _are_wanted((cause.path, cause.now), wanted)
    }
    memories: Mapping[str, Stored] = ws.store.served().memories if chosen else {}
    if len(chosen) > FEW:
        memories = {item.memory.id: item for item in memories.values()}
    found = [
        Stale(item=memories[id_], cause=_for_reader(ws, _each_once(cause)), standing=standings[id_])
        for id_, cause in chosen.items()
        if id_ in memories and not (before and _was_before(ws, before, cause))
    ]
    return sorted(
        _with_deleted(ws, head, found),
        key=lambda one: (
            one.standing.stale is True,
            one.cause.day,
            one.cause.commit,
            one.item.memory.id,
        ),
        reverse=True,
    )


def _with_deleted(ws: Workspace, head: str | None, found: Sequence[Stale]) -> list[Stale]:
    """Note for each stale memory whether the file that it is about is gone at a commit."""
    entry_at = ws.code.objects.entry_at
    return [
        replace(one, is_deleted=head is not None and entry_at(head, one.cause.now) is None)
        for one in found
    ]


def _for_reader(ws: Workspace, cause: Cause) -> Cause:
    """Return a cause of staleness; hide a commit's subject from an agent if it gives an order."""
    if not by_agent(ws):
        return cause
    # judging takes long to load
    from git_lerim.actions.doubted_commits import subject_for_agents  # noqa: PLC0415

    return replace(cause, subject=subject_for_agents(cause.subject))


def _each_once(cause: Cause) -> Cause:
    return replace(cause, lost=_whole(cause.lost))


def _whole(names: Sequence[str]) -> tuple[str, ...]:
    """Return each name once, leaving out any that is a whole word in another name."""
    each = tuple(dict.fromkeys(names))
    return tuple(
        name
        for name in each
        if not any(
            name != other and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", other) for other in each
        )
    )


def as_json(
    ws: Workspace, found: Sequence[Stale], gaps: Sequence[Mapping[str, str]] = ()
) -> list[dict[str, Any]]:
    """Return stale memories in the format of `list --json`, with their causes.

    `gaps` lists what the clone lacks; because of these gaps, some stale memories may be missing.
    """
    more = {"clone_gaps": list(gaps)} if gaps else {}
    rows = listing.as_json(ws, [one.item for one in found])
    causes = ({"cause": _cause_json(one.cause) | {"deleted": one.is_deleted}} for one in found)
    return [row | more | cause for row, cause in zip(rows, causes, strict=True)]


def _cause_json(cause: Cause) -> dict[str, Any]:
    return {
        "path": cause.path,
        "lines": list(cause.lines) if cause.lines else None,
        "symbol": cause.symbol,
        "now": cause.now,
        "lost": [] if cause.is_back else list(cause.lost),
        "back": list(cause.lost) if cause.is_back else [],
        "hunk": cause.hunk,
        "commit": cause.commit or None,
        "author": cause.author or None,
        "day": cause.day or None,
        "subject": cause.subject or None,
        "model": asdict(cause.model) if cause.model else None,
    }


def _commit(ws: Workspace, option: str, revision: str) -> str:
    found = ws.code.resolve(revision)
    if found is None:
        raise UsageError(
            f"{option}: no such commit: {revision!a}", hint="git log shows the commits"
        )
    return found


def _path(ws: Workspace, named: str) -> str:
    full = os.path.normpath(Path.cwd() / named) if ws.place.worktree else named
    found = ws.code.relative(full)
    if found is None and ws.place.worktree and Path(full) != ws.place.worktree:
        raise UsageError(
            f"{named} is outside this repository", hint="give files or folders in this work tree"
        )
    return found or ""


def _refuse_unknown(ws: Workspace, named: str, path: str, at: str | None) -> None:
    """Raise UsageError if a path never existed here and no memory is about it."""
    if ws.place.worktree and os.path.lexists(ws.place.worktree / path):
        return
    from git_lerim.actions.why import code_location, why  # noqa: PLC0415 few paths are gone

    about = (
        anchor.path
        for item in ws.store.served().memories.values()
        for anchor in item.memory.anchors
    )
    if code_location.find(ws, named, at).state == "nowhere" and not any(
        _are_wanted([each], [path]) for each in about
    ):
        raise why.never_existed(named)


def _are_wanted(own: Sequence[str], paths: Sequence[str]) -> bool:
    return not paths or any(
        not path or one == path or one.startswith(f"{path}/") for path in paths for one in own
    )


def about_paths(ws: Workspace, own: Sequence[str], named: Sequence[str]) -> bool:
    """Return whether one of a memory's own files is in the files or folders that a user named."""
    return _are_wanted(own, [_path(ws, path) for path in named])


def _was_before(ws: Workspace, commit: str, cause: Cause) -> bool:
    """Return whether a commit already contains the change that made a memory stale."""
    return bool(cause.commit) and ws.code.objects.descends(commit, cause.commit)
