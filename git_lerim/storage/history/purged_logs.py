"""Find the reflogs that still lead to purged memories."""

from collections.abc import Iterator
from pathlib import Path

from git_lerim.git import refs
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain
from git_lerim.storage.history.purged_refs import has_purged, stores_among
from git_lerim.storage.history.replace_branch import KEPT
from git_lerim.storage.sharing import tombstones


def logs_with_purged(place: Place, objects: Objects, tip: str) -> list[str]:
    """Return the refs whose reflog, but not the ref itself, still leads to purged files.

    The names are safe to print. `tip` is the tip of the purged branch.
    """
    purge = tombstones.purge_in(objects, objects.tree_of(tip))
    found: list[str] = []
    for name, folder, ref in _logs(place) if purge else ():
        now = refs.read_ref(folder, ref)
        logged = [each for each in dict.fromkeys(refs.reflog(folder, ref)) if each != now]
        states = stores_among(place, tip, logged) if logged else []
        known = [tip, *([now] if now else [])]
        if states and has_purged(place, objects, purge, states, *known):
            found.append(plain(name))
    return found


def _logs(place: Place) -> Iterator[tuple[str, Path, str]]:
    """Yield the display name of each reflog, its git directory, and the ref's name there.

    Reflogs in a reftable cannot be listed, so they are left out; `finish_purge` has already cleaned
    those of git-lerim's own refs.
    """
    top = place.common_dir / "logs"
    for path in sorted(path for path in top.rglob("*") if path.is_file()):
        name = path.relative_to(top).as_posix()
        if not name.startswith(KEPT):
            yield name, place.common_dir, name
    for admin in sorted((place.common_dir / "worktrees").glob("*")):
        yield f"HEAD of the worktree {admin.name}", admin, "HEAD"
