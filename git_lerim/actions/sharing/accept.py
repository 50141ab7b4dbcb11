"""Accept withheld memories, in the version that the user was shown."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from git_lerim import private_files
from git_lerim.actions import authorship
from git_lerim.actions.allow import DECIDED_BY_TRUST
from git_lerim.actions.listing import find_memory
from git_lerim.actions.mistrust import titles
from git_lerim.actions.reset import delete
from git_lerim.errors import LerimError, UsageError
from git_lerim.git.running.process import plain
from git_lerim.memories import naming
from git_lerim.memories.checks.gate import texts
from git_lerim.memories.format import frontmatter
from git_lerim.storage import layout
from git_lerim.storage.base import Waiting
from git_lerim.workspace import Workspace

# the file beside the repository, with the blobs of waiting files by path, and those tombstones of
# others that wait
NAME = "shown"
_NAMED = 5


def note_shown(ws: Workspace, versions: Mapping[str, str], *, again: bool = True) -> None:
    """Record the versions that are being shown to the user.

    `versions` maps the path of a waiting file to its blob, and the ref of a proposal to its commit.
    With `again`, replace the versions recorded earlier; otherwise only add to them.
    """
    if not versions or authorship.by_agent(ws):
        return
    known = shown_versions(ws)
    new = {**known, **versions} if again else {**versions, **known}
    if new != known:
        with suppress(OSError):
            private_files.replace(ws.place.own_dir / NAME, json.dumps(new))


def note_purges(ws: Workspace, ids: Iterable[str]) -> None:
    """Record the ids that the user is told are purged by others and wait to be deleted here."""
    note_shown(ws, {f"{layout.PURGED}/{id_}": "" for id_ in ids})


def shown_purges(ws: Workspace) -> frozenset[str]:
    """Return the ids of waiting purges that the user was shown; see `note_purges`."""
    folder = f"{layout.PURGED}/"
    return frozenset(
        path.removeprefix(folder) for path in shown_versions(ws) if path.startswith(folder)
    )


def accept_waiting(
    ws: Workspace, names: Sequence[str] | None
) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Accept the withheld memories with these id prefixes or paths; None means all of them.

    Return their paths and, of each that was withheld until now, the id or path, the redacted title
    and the reason. Raises UnknownMemory, and UsageError if a memory has changed since the user was
    shown it.
    """
    authorship.refuse_agent(ws, "withheld memories may contain instructions to agents")
    snapshot = ws.store.snapshot()
    withheld = {each.path: each for each in ws.store.waiting()}
    waiting = {path: each.blob for path, each in withheld.items()}
    paths = (
        None
        if names is None
        else [name if name in waiting else find_memory(snapshot, name).path for name in names]
    )
    shown = shown_versions(ws)
    chosen = waiting if paths is None else waiting.keys() & set(paths)
    others = {path for path in chosen if shown.get(path, waiting[path]) != waiting[path]}
    changed = sorted(path for path in others if _text(ws, shown[path]) != _text(ws, waiting[path]))
    names = [naming.id_in(path) or path for path in changed]
    refuse_changed(names, f"git lerim show {' '.join(names[:_NAMED])}")
    accepted = ws.store.accept(paths)
    if ws.in_tree and accepted:
        # caches are keyed by the tree, which has not changed
        delete(ws.folder, DECIDED_BY_TRUST)
    _note_twins(ws, paths or (), waiting.keys() - set(accepted))
    return accepted, [_named(ws, withheld[path]) for path in accepted if path in withheld]


def _named(ws: Workspace, waiting: Waiting) -> tuple[str, str, str]:
    """Return the id or path of a file that was withheld, its redacted title, and the reason."""
    title = ""
    with suppress(LerimError):  # not every file can be read as a memory
        title = titles(ws, [frontmatter.parse(ws.store.content(waiting.blob))])[0]
    return waiting.id or plain(waiting.path), title, waiting.reason


def _note_twins(ws: Workspace, paths: Sequence[str], left: Iterable[str]) -> None:
    """Tell the user which other files with an accepted memory's id are still withheld."""
    ids = {naming.id_in(path) for path in paths} - {None}
    for path in sorted(left):
        if path not in paths and naming.id_in(path) in ids:
            ws.note(f"{plain(path)} is still withheld: another file has its ID; see git lerim lint")


def refuse_changed(names: Sequence[str], show: str) -> None:
    """Raise UsageError if there are `names` of changed items; `show` is the command to see them."""
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        raise UsageError(
            "nothing was accepted, because others have changed what you were shown:"
            f" {', '.join(names[:_NAMED])}{more}",
            hint=f"to read it as it is now: {show}",
        )


def _text(ws: Workspace, blob: str) -> list[str | None]:
    """Return the texts of a version without its dates of use and edits, to compare versions."""
    with suppress(LerimError):
        memory = frontmatter.parse(ws.store.content(blob))
        return [memory.kind, *texts(memory.having(edited=None, last_accessed=None))]
    return [blob]


def shown_versions(ws: Workspace) -> dict[str, str]:
    """Return the versions that the user was shown; see `note_shown`."""
    with suppress(OSError, ValueError, AttributeError):
        found = private_files.read_json(ws.place.own_dir / NAME)
        return {str(path): str(blob) for path, blob in found.items()}
    return {}
