"""Open the indexes that a hook selects from, without opening the workspace if possible."""

# ruff: noqa: PTH118 pathlib alone would cost more than all of this

import os

from git_lerim.agents.hooks import events
from git_lerim.git import fast_repo
from git_lerim.git.running import posix_spawn
from git_lerim.git.worktree import status_commands
from git_lerim.private_files import READER_WAITS
from git_lerim.recall.brief.hook_choice import HANDOFFS, Source
from git_lerim.recall.fast import brief_cache
from git_lerim.recall.local import cache_files

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the cost of importing typing
if TYPE_CHECKING:
    from typing import Any

    from git_lerim.agents.hooks.payload import Event
    from git_lerim.recall.index.index_reader import Document
    from git_lerim.recall.local.verdicts import CachedVerdict

Around = tuple[str, str, str]


def open_source(event: "Event", around: Around | None) -> Source | None:
    """Open the indexes from which a hook selects memories.

    Return None if there is no memory. Raises BlockingIOError if another process keeps the index
    locked: a hook does not wait for it, nor for another index to be built. The indexes are never
    closed, because the process ends soon.
    """
    if around is not None:
        _check_lock(os.path.join(around[2], "lerim", "index.sqlite3"))
    if os.name == "posix" and around is not None and not fast_repo.redirecting_variables():
        kept, is_current = brief_cache.load(*around[1:])
        if (
            kept is not None
            and fast_repo.ref(around[2], f"refs/heads/{kept['branch']}") is not None
        ):
            return _open_fast(event, around, kept, is_current=is_current)
    return _open_workspace(event)


def _check_lock(path: str) -> None:
    import _sqlite3  # noqa: PLC0415 needed only where there is memory

    try:
        index = _sqlite3.connect(cache_files.read_only(path), uri=True, timeout=READER_WAITS)
        index.execute("PRAGMA schema_version").fetchone()
    except _sqlite3.Error as error:  # anything else is found and mended later
        if "locked" in str(error):
            raise BlockingIOError(
                f"git-lerim hands out no memories now: another process keeps {path} locked. "
                "`git lerim brief` prints them."
            ) from error


def _open_fast(
    event: "Event", around: Around, kept: "dict[str, Any]", *, is_current: bool
) -> Source | None:
    folder, git_dir, common = around
    begins = event.moment in {events.START, events.HELPER}
    status = (
        posix_spawn.start([*kept["silenced"], *status_commands.STATUS], folder) if begins else None
    )
    try:
        indexes, is_whole = brief_cache.open_indexes(kept, common)
    except LookupError:  # they were redacted by other rules than ours
        return _open_workspace(event)
    finally:
        output = posix_spawn.answer(status, status_commands.PATIENCE) if status else None
    if indexes is None or indexes[0] is None:
        return None
    try:
        indexes[0].hidden = brief_cache.hidden(indexes[0], common, git_dir)
    except LookupError:  # it is not known yet which memories are hidden here
        return _open_workspace(event)

    def verdicts_of(documents: "list[Document]") -> "dict[str, CachedVerdict]":
        found = brief_cache.cached_verdicts(documents, common, git_dir)
        source.wants_work = source.wants_work or (
            found is not None and len(found) < len({one.blob for one in documents})
        )
        return found or {}

    source = Source(indexes[0], indexes[1], os.path.join(common, "lerim"), verdicts_of)
    source.is_current = is_current and is_whole
    source.brief_tokens, source.prompt_tokens = kept["budget"], kept["prompt_budget"]
    source.file_notes, source.model = kept["file_notes"], kept["model"]
    source.handoffs = lambda: _handoffs(folder, kept["branch"])
    source.changed = lambda: tuple(
        dict.fromkeys([*(status_commands.changed(output) if output else ()), *kept["committed"]])
    )
    return source


def _handoffs(folder: str, branch: str) -> list[str]:
    """Return the file names of the newest handoffs on the memory branch."""
    listed = posix_spawn.answer(
        posix_spawn.start(
            ["ls-tree", "--name-only", "-z", f"refs/heads/{branch}", "handoffs/"], folder
        )
    )
    names = (listed or b"").decode("utf-8", "replace").split("\0")
    return sorted(filter(None, names))[-HANDOFFS:]


def _open_workspace(event: "Event") -> Source | None:
    """Open the workspace, and prepare the fast path for the next hook."""
    from git_lerim.actions import brief  # noqa: PLC0415 rarely needed
    from git_lerim.actions.code import freshness  # noqa: PLC0415 rarely needed
    from git_lerim.errors import NotARepository  # noqa: PLC0415
    from git_lerim.workspace import open_workspace  # noqa: PLC0415

    try:
        ws = open_workspace()
    except NotARepository:
        return None
    if not ws.has_memory():
        return None
    if event.moment == events.START or (event.moment == events.HELPER and not ws.in_tree):
        brief.brief(ws)  # prepares the fast path, except in a work tree, and heals the index
    opening = brief.indexes(ws)
    index, personal = opening.__enter__()
    source = Source(
        index, personal, str(ws.folder), lambda documents: freshness.of_documents(ws, documents)
    )
    source.brief_tokens, source.prompt_tokens = (
        ws.settings["briefTokens"],
        ws.settings["promptTokens"],
    )
    source.file_notes, source.model = ws.settings["fileNotes"] == "true", ws.settings["model"]
    source.changed = lambda: brief.changed_files(ws)
    source.holds = opening
    return source
