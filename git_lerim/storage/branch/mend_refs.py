"""Repair git-lerim's refs after a crash or prune; a broken ref stops fetch and packing."""

from collections.abc import Iterator
from contextlib import suppress

from git_lerim.errors import GitFailed, LerimError
from git_lerim.git import damaged_refs, own_refs, refs
from git_lerim.git.alternates import missing_alternate
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.objects import Objects
from git_lerim.git.repo import Place
from git_lerim.storage import layout

_OURS = "refs/lerim"
_WHO = Identity(b"git-lerim <none>", b"git-lerim <none>")
_CACHES = (layout.JOINED, layout.PENDING, layout.SERVED)
_LOST = {  # what the user notices once a ref is gone
    "refs/lerim/pushed/": "git lerim push asks again before it sends anything to that remote",
    "refs/remotes/": "the next fetch brings it back",
}


def mend(place: Place, objects: Objects, branch: str, *, thorough: bool = False) -> list[str]:
    """Repair git-lerim's refs that lead to missing objects; return what was done.

    The results are sentences for the user. Only a `thorough` check reads all folders of a commit.
    The user's objects stay as they are, and a file in `.git/lerim` keeps each replaced value.
    """
    told: list[str] = []
    for name in dict.fromkeys(_names(place, branch, thorough=thorough)):
        if _is_sound(place, objects, name, thorough=thorough):
            continue
        try:
            told.append(_mended(place, objects, name, thorough=thorough))
        except (LerimError, OSError) as error:  # the next run with the lock tries again
            told.append(f"{name} is damaged and could not be repaired: {error}")
    return told


def mend_own(place: Place, objects: Objects) -> bool:
    """Repair the refs that are needed for reading; return whether one was repaired."""
    found = False
    for name in refs.names_below(place.common_dir, _OURS):
        is_own = name in _CACHES or next(own_refs.noted(place, name), None) is not None
        if is_own and not _is_sound(place, objects, name, thorough=True):
            with suppress(LerimError, OSError):
                _mended(place, objects, name, thorough=True)
                found = True
    return found


def _mended(place: Place, objects: Objects, name: str, *, thorough: bool) -> str:
    """Repair a ref; return what was done, as a sentence for the user.

    It stays as it is if its object may only be out of reach.
    """
    held = objects.ref(name)
    if held is not None and (why := _out_of_reach(place, objects)):
        return f"{name} points to {held[:12]}, which is out of reach: {why}"
    good = next(
        (
            value
            for value in _candidates(place, objects, name)
            if _is_readable(place, objects, name, value, thorough=thorough)
        ),
        None,
    )
    if good is None and held is not None and name.startswith("refs/heads/"):
        return f"{name} points to {held[:12]}, which is not in the repository; run git fsck"
    damaged_refs.reset(place, objects, name, good, _WHO)
    if not _is_sound(place, objects, name, thorough=thorough):  # an older value was packed
        damaged_refs.reset(place, objects, name, None, _WHO)
    now = objects.ref(name)
    if now is not None:
        return f"{name} was damaged, probably by a crash; it was reset to {now[:12]}"
    why = next((why for start, why in _LOST.items() if name.startswith(start)), "")
    return f"{name} was damaged, probably by a crash, and was removed{why and '; ' + why}"


def _out_of_reach(place: Place, objects: Objects) -> str:
    """Return why objects that the repository lacks may be elsewhere, or "" if nothing says so."""
    if borrows := missing_alternate(place):
        return f"the repository borrows objects from {borrows}, which is missing"
    return "this is a partial clone, and no remote has sent it" if objects.is_partial() else ""


def _names(place: Place, branch: str, *, thorough: bool) -> Iterator[str]:
    """Yield the names of git-lerim's refs, except that of the branch.

    Remote-tracking refs are included only for a thorough check.
    """
    common, folder = place.common_dir, layout.proposals(branch)
    for name in refs.names_below(common, _OURS):
        if not name.startswith(f"{layout.TEMPORARY}/"):
            yield name
    yield from refs.names_below(common, f"refs/heads/{folder}")
    if thorough:
        yield from refs.tracking_refs(common, branch)
        yield from refs.tracking_below(common, folder)


def _is_sound(place: Place, objects: Objects, name: str, *, thorough: bool) -> bool:
    held = objects.ref(name)
    if held is None:
        return not refs.is_broken(place.common_dir, name)
    return _is_readable(place, objects, name, held, thorough=thorough)


def _is_readable(place: Place, objects: Objects, name: str, value: str, *, thorough: bool) -> bool:
    """Return whether the object that a ref points to, or could point to, can be read.

    A thorough check of a commit that git-lerim made includes its parents. The parents of other
    commits may be beyond the boundary of a shallow clone.
    """
    if objects.is_complete(value) if thorough else objects.is_whole(value):
        is_made = thorough and own_refs.is_noted(place, name, value)
        return not is_made or all(map(objects.is_whole, objects.parents(value)))
    with suppress(GitFailed):
        objects.blob(value)
        return True
    return False


def _candidates(place: Place, objects: Objects, name: str) -> Iterator[str]:
    """Yield values to reset a ref to: its former values, then those of its backup or copies."""
    if name in _CACHES:
        return
    yield from own_refs.noted(place, name)
    yield from refs.reflog(place.common_dir, name)
    for twin in _twins(place, name):
        if (held := objects.ref(twin)) is not None:
            yield held


def _twins(place: Place, name: str) -> Iterator[str]:
    branch = name.removeprefix("refs/heads/")
    if branch != name:
        yield layout.backup_ref(branch)
        yield from refs.tracking_refs(place.common_dir, branch)
    elif (followed := name.removeprefix(layout.backup_ref(""))) != name:
        yield from (f"refs/heads/lerim/{followed}", f"refs/heads/{followed}")
