"""Accept withheld memories, in the version that the user was shown."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress

from git_lerim import private_files
from git_lerim.actions import authorship
from git_lerim.actions.allow import DECIDED_BY_TRUST
from git_lerim.actions.listing import find_memory
from git_lerim.actions.reset import delete
from git_lerim.errors import LerimError, UsageError
from git_lerim.memories import naming
from git_lerim.memories.checks.gate import texts
from git_lerim.memories.format import frontmatter
from git_lerim.workspace import Workspace

NAME = "shown"  # of the file beside the repository, with the blobs of waiting files by path
_NAMED = 5


def note_shown(ws: Workspace, versions: Mapping[str, str], *, again: bool = True) -> None:
    """Record the versions of waiting files (blobs by path) that are being shown to the user.

    With `again`, replace the versions recorded earlier; otherwise only add to them.
    """
    if not versions or authorship.by_agent(ws):
        return
    known = _shown(ws)
    new = {**known, **versions} if again else {**versions, **known}
    if new != known:
        with suppress(OSError):
            private_files.replace(ws.place.own_dir / NAME, json.dumps(new))


def accept_waiting(ws: Workspace, names: Sequence[str] | None) -> list[str]:
    """Accept waiting memories, given by id prefix or path, or all; return their paths.

    Raises UnknownMemory, and UsageError if a memory has changed since the user was shown it.
    """
    authorship.refuse_agent(ws, "withheld memories may contain instructions to agents")
    snapshot = ws.store.snapshot()
    waiting = {each.path: each.blob for each in ws.store.waiting()}
    paths = (
        None
        if names is None
        else [name if name in waiting else find_memory(snapshot, name).path for name in names]
    )
    shown = _shown(ws)
    chosen = waiting if paths is None else waiting.keys() & set(paths)
    others = {path for path in chosen if shown.get(path, waiting[path]) != waiting[path]}
    _refuse_changed(
        sorted(path for path in others if _text(ws, shown[path]) != _text(ws, waiting[path]))
    )
    changed = ws.store.accept(paths)
    if ws.in_tree and changed:
        # caches are keyed by the tree, which has not changed
        delete(ws.folder, DECIDED_BY_TRUST)
    return changed


def _refuse_changed(paths: Sequence[str]) -> None:
    if paths:
        named = [naming.id_in(path) or path for path in paths]
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        raise UsageError(
            "nothing was accepted, because others have changed what you were shown:"
            f" {', '.join(named[:_NAMED])}{more}",
            hint=f"to read it as it is now: git lerim show {' '.join(named[:_NAMED])}",
        )


def _text(ws: Workspace, blob: str) -> list[str | None]:
    """Return all texts of a version, to compare it with the one that the user was shown."""
    with suppress(LerimError):
        memory = frontmatter.parse(ws.store.content(blob))
        return [memory.kind, *texts(memory.having(edited=None, last_accessed=None))]
    return [blob]


def _shown(ws: Workspace) -> dict[str, str]:
    with suppress(OSError, ValueError, AttributeError):
        found = json.loads(private_files.read_small(ws.place.own_dir / NAME, private_files.LARGE))
        return {str(path): str(blob) for path, blob in found.items()}
    return {}
