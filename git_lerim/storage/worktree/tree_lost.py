"""Find memories written here that somebody else's commit removed or rewrote."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from git_lerim.git import repo
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.worktree.worktree_snapshot import Disk
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import layout
from git_lerim.storage.base import Stored
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.accepted import key_of
from git_lerim.storage.trust.provenance.introduced import put_by
from git_lerim.storage.trust.validate import place_file
from git_lerim.storage.worktree.tree_trust import TreeTrust

_KEPT = "lost"  # name of the cache of what the history says
_BELOW = f"{layout.TREE}/"


@dataclass(frozen=True, slots=True)
class Lost:
    """The user's last versions of memories that others removed or rewrote, by id."""

    withdrawn: Mapping[str, Stored] = field(default_factory=dict)  # as archived
    rewritten: Mapping[str, Stored] = field(default_factory=dict)


def lost(
    place: Place, disk: Disk, objects: Objects, trust: TreeTrust, files: Mapping[str, str]
) -> Lost:
    """Return the memories that others removed from a folder, or rewrote there.

    `files` maps the folder's paths to blobs, which are compared with the versions in HEAD's history
    that were written here.
    """
    memories = {path: blob for path, blob in files.items() if layout.primitive_at(path)}
    standing: dict[str, list[str]] = defaultdict(list)
    for path, blob in memories.items():
        standing[key_of(path)].append(blob)
    strange = {
        key_of(path)
        for path, blob in memories.items()
        if not trust.own.is_own(path, blob) and blob not in trust.accepted
    }
    own = {path for path in trust.own.paths() if layout.primitive_at(path)}
    wanted = {path for path in own if key_of(path) in strange or key_of(path) not in standing}
    found = _last(place, disk, trust, wanted) if wanted else {}
    head = repo.head(place) if found else None
    withdrawn: dict[str, Stored] = {}
    rewritten: dict[str, Stored] = {}
    for key, (path, blob) in found.items():
        file = place_file(path, blob, read_blob(objects, blob))
        if not isinstance(file, Stored):
            continue
        read = (read_blob(disk, each) for each in standing.get(key, ()))
        now = next((each for each in read if isinstance(each, Memory)), None)
        if (
            now is None and head and not _is_in(objects, head, path)
        ):  # otherwise the user has just deleted it
            plain = path.removeprefix("archived/")
            archived = file.memory.having(status=Status.ARCHIVED)
            withdrawn[key] = Stored(memory=archived, path=f"archived/{plain}", blob=blob)
        elif now is not None and (now.text, now.status) != (file.memory.text, file.memory.status):
            rewritten[key] = file
    return Lost(withdrawn, rewritten)


def _is_in(objects: Objects, head: str, path: str) -> bool:
    plain = path.removeprefix("archived/")
    return any(objects.entry_at(head, f"{_BELOW}{each}") for each in (plain, f"archived/{plain}"))


def _last(
    place: Place, disk: Disk, trust: TreeTrust, paths: Collection[str]
) -> dict[str, tuple[str, str]]:
    """Return the path and blob of the last version of each memory written here, by key.

    Only versions in HEAD's history count.
    """
    head, asked = repo.head(place), sorted(paths)
    kept = disk.cached(_KEPT) or {}
    if kept.get("head") != head or kept.get("paths") != asked:
        found: dict[str, tuple[str, str]] = {}
        for each in put_by(place, head, asked, _BELOW) if head else ():
            if each.new and trust.own.is_own(each.path, each.new):
                found.setdefault(key_of(each.path), (each.path, each.new))
        kept = {"head": head, "paths": asked, "found": found}
        disk.cache(_KEPT, kept)
    return {key: (path, blob) for key, (path, blob) in kept["found"].items()}
