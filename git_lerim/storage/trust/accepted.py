"""Keep the accepted version of each memory: one committed here, or one that the user accepted.

`refs/lerim/accepted` points to a commit whose tree holds the last accepted version of each memory.
The first parent of this commit is the previous such commit; the second is the commit of the memory
branch up to which commits made here have been accepted. Folders in the tree mark what others wrote
(see `marks`).

git-lerim accepts its own commits as it writes them, and finds other commits made here in the
branch's reflog. A commit that the user made with git counts, unless a commit from elsewhere
contains the same version or some of its lines. No other commit counts, and no fetch: anybody can
forge names, and create this ref (see `own_refs`).
"""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from typing import cast

from git_lerim.errors import Busy, ReadOnly, StoreMoved
from git_lerim.git import own_refs
from git_lerim.git.commits.identity import Identity, stamp
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, TreeEntry
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.base import Change
from git_lerim.storage.branch.tree_builder import beginning, written
from git_lerim.storage.sharing.tree_diff import TreeChange, differing
from git_lerim.storage.trust.known import Known, take
from git_lerim.storage.trust.marks import MIXED, NAMES, SHARED
from git_lerim.storage.trust.provenance.introduced import (
    Introduced,
    anywhere,
    introduced,
    is_taken,
    logged,
)
from git_lerim.storage.trust.provenance.own_commits import own_by_reflog
from git_lerim.storage.writing.message import commit_bytes

ACCEPTED = layout.ACCEPTED
# the committer of these commits, since readers may have no identity
WHO = Identity(b"git-lerim <none>", b"git-lerim <none>")

Entries = Mapping[str, bytes | TreeEntry | None]  # by path; None: no file


def key_of(path: str) -> str:
    """Return the key that all files of one memory share: its id or, for a summary, its path."""
    return naming.id_in(path) or path.removeprefix("archived/")


def followed(place: Place, objects: Objects, branch: str, tip: str) -> str:
    """Accept new commits made here on the branch; return the new `refs/lerim/accepted`.

    If another process moves the ref meanwhile, the next reader accepts the same commits. If nothing
    can be written, what was accepted before still counts.
    """
    kept = own_refs.kept(place, objects, ACCEPTED, WHO)
    before = objects.parents(kept) if kept is not None else ()
    upto = before[1] if len(before) > 1 else None  # a purge can leave one parent
    if kept is not None and upto == tip:
        return kept
    since = upto if upto is not None and objects.is_whole(upto) else None
    ours = own_by_reflog(place, f"refs/heads/{branch}")
    known = Known(place, objects, kept, dict(_back(objects, kept, since, tip)))
    put = list(introduced(place, tip, since)) if ours or since else []
    mine = [each for each in put if each.commit in ours]
    own: set[Introduced] = set()
    for files in _without_others(place, objects, kept, mine, ours):
        take(known, files)
        own.update(files)
    try:
        commit = _noted(objects, kept, tip, known.changed)
    except ReadOnly:
        return kept or beginning(objects)
    with suppress(StoreMoved, Busy, ReadOnly):
        # first: a process that is killed in between loses nothing
        if since and objects.descends(tip, since):
            _keep_withdrawn(place, objects, (since, tip), {*put} - own)
        _keep(place, objects, commit, kept)
    return commit


def _back(
    objects: Objects, kept: str | None, since: str | None, tip: str
) -> Iterator[tuple[str, TreeEntry]]:
    """Yield the accepted files that the branch has again, since it was moved back to an older tip.

    The versions count that were the accepted ones when the branch was last there.
    """
    then = kept if since and objects.descends(since, tip) else None
    while then and (parents := objects.parents(then))[1:] and not objects.descends(tip, parents[1]):
        then = parents[0]
    for each in changed_files(objects, then, kept) if then and then != kept else ():
        if each.old and objects.entry_at(tip, each.path) == each.old:
            yield each.path, each.old


def _keep_withdrawn(
    place: Place, objects: Objects, move: tuple[str, str], theirs: Collection[Introduced]
) -> None:
    """Save the memories that others deleted, where the branch was moved, maybe by git alone."""
    if theirs:
        from git_lerim.storage.sharing import withdrawn  # noqa: PLC0415 it reads what is accepted

        withdrawn.keep_deleted(place, objects, move, {key_of(each.path) for each in theirs})


# arguments: the store, the move of its branch, the change, and what others had deleted
def recorded(  # noqa: PLR0913, PLR0917
    place: Place,
    objects: Objects,
    branch: str,
    move: tuple[str | None, str],
    change: Change,
    stood: Mapping[str, str],
) -> str:
    """Accept a commit that git-lerim has just written; return the new `refs/lerim/accepted`.

    If the change has another author, the user has accepted that author's work. `stood` maps the
    path of each file that others had deleted to its blob: if the commit restores such a file, the
    user still did not write it.
    """
    old, tip = move
    kept = _caught_up(place, objects, branch, old)
    known = Known(place, objects, kept, {})
    changes = list(changed_files(objects, old or beginning(objects), tip))
    own = [each for each in changes if key_of(each.path) not in change.theirs]
    taken = take(known, [_as_introduced(known, each, (old, tip), stood) for each in own])
    was = {key_of(each.path): each.old.id for each in changes if each.old}
    names = {
        f"{NAMES}/{key}": f"{each.new.id} {name}".encode()
        for each in changes
        if each.new and (key := key_of(each.path))
        if (name := change.theirs.get(key) or _name_at(objects, kept, key, was.get(key, "")))
    }
    marks = marks_of(place, objects, kept, taken) if change.author is not None else {}
    return accepted(place, objects, kept, tip, {**known.changed, **marks, **names})


def changed_files(objects: Objects, before: str | None, after: str | None) -> Iterator[TreeChange]:
    """Yield the memory files that differ between two commits; None is a commit without files."""
    old, new = (objects.tree_of(commit) if commit else None for commit in (before, after))
    for each in differing(objects, old, new, layout.is_folder):
        if naming.valid_path(each.path) and (each.new is None or each.new.mode == FILE):
            yield each


def _caught_up(place: Place, objects: Objects, branch: str, old: str | None) -> str | None:
    """Accept commits made here on the branch up to `old`; return `refs/lerim/accepted`, or None."""
    before = old or beginning(objects)
    kept = own_refs.kept(place, objects, ACCEPTED, WHO)
    upto = objects.parents(kept)[1:] if kept is not None else () if old else (before,)
    if upto == (before,):
        return kept
    followed(place, objects, branch, before)
    return own_refs.kept(place, objects, ACCEPTED, WHO)


def _as_introduced(
    known: Known, each: TreeChange, move: tuple[str | None, str], stood: Mapping[str, str]
) -> Introduced:
    before, tip = move
    old = each.old.id if each.old else stood.get(each.path) or known.of_gone_branch(each, before)
    return Introduced(tip, each.path, (old,), each.new.id if each.new else "")


def name_of(place: Place, objects: Objects, path: str, blob: str) -> str:
    """Return the author recorded for an imported version; empty if none is recorded."""
    kept = own_refs.kept(place, objects, ACCEPTED, WHO)
    return _name_at(objects, kept, key_of(path), blob)


def _name_at(objects: Objects, kept: str | None, key: str, blob: str) -> str:
    entry = objects.entry_at(kept, f"{NAMES}/{key}") if kept is not None else None
    version, _, name = (
        objects.blob(entry.id).decode("utf-8", "replace").partition(" ") if entry else ("", "", "")
    )
    return name if version == blob else ""


def marks_of(
    place: Place, objects: Objects, kept: str | None, paths: Iterable[str]
) -> dict[str, bytes]:
    """Return the marks to add for the files at some paths, which others wrote; see `marks`."""
    known = Known(place, objects, kept, {})
    marks: dict[str, bytes] = {}
    for path in paths:
        marks[f"{SHARED}/{key_of(path)}"] = b""
        if known.blob(path) and not known.is_shared(path):  # until now it was the user's
            marks[f"{MIXED}/{key_of(path)}"] = b""
    return marks


def _noted(objects: Objects, kept: str | None, tip: str, changed: Entries) -> str:
    """Write a commit for `refs/lerim/accepted`: changed files, and `tip` as second parent."""
    before = objects.parents(kept) if kept is not None else ()
    if kept is not None and before and not changed:
        return _written(objects, objects.tree_of(kept), (before[0], tip))
    base = kept or beginning(objects)
    # the blobs need no check: readers report a file that the branch has but nobody can read
    tree = written(objects, objects.tree_of(base), changed, checked=False)
    return _written(objects, tree or objects.tree_of(base), (base, tip))


def proposed(
    place: Place, objects: Objects, kept: str, branch: str
) -> dict[str, list[TreeEntry | None]]:
    """Return, for each path in a proposal, the versions written by commits made here, oldest first.

    A commit counts as made here only if the reflog of the proposal's branch shows it.
    """
    wrote: dict[str, list[TreeEntry | None]] = {}
    if commits := own_by_reflog(place, f"refs/heads/{branch}"):
        put = list(logged(place, ("--no-walk=unsorted", "--ignore-missing", "--stdin"), commits))
        known = Known(place, objects, kept, {})
        for files in _without_others(place, objects, kept, put, commits):
            for path in take(known, files):
                wrote.setdefault(path, []).append(known.changed[path])
    return wrote


def accepted(place: Place, objects: Objects, kept: str | None, tip: str, changed: Entries) -> str:
    """Accept changed files without checks; return the new commit in `refs/lerim/accepted`."""
    return _keep(place, objects, _noted(objects, kept, tip, changed), kept)


def ever_accepted(place: Place, objects: Objects, commit: str) -> set[tuple[str, str]]:
    """Return the path and blob of every version that was ever accepted; git is asked once.

    If `commit` could not be written, git does not see it and reads on from its first parent.
    """
    key = f"accepted until {commit}"
    if key not in place.known:
        place.known[key] = _ever(place, (commit, *objects.parents(commit)[:1]))
    return cast("set[tuple[str, str]]", place.known[key])


def _ever(place: Place, commits: tuple[str, ...]) -> set[tuple[str, str]]:
    args = (
        "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature",
        "--no-relative", "--no-color", "--format=", "--ignore-missing", "--stdin",
    )  # fmt: skip
    asked = "".join(f"{commit}\n" for commit in commits).encode()
    told = run_git(place.git("log", *args), cwd=place.git_dir, input=asked)
    lines = told.decode("utf-8", "replace").split("\n")
    rows = (line.partition("\t") for line in lines if line.startswith(":"))
    return {(path, fields.split(" ")[3]) for fields, _, path in rows}


def _without_others(
    place: Place,
    objects: Objects,
    kept: str | None,
    put: list[Introduced],
    ours: Mapping[str, bool],
) -> Iterator[list[Introduced]]:
    """Yield the files that each commit made here introduced, except copies of others' work."""
    doubtful = [each.path for each in put if not ours[each.commit]]
    known = ever_accepted(place, objects, kept) if doubtful and kept else set()
    elsewhere: dict[str, list[Introduced]] = {}
    for each in anywhere(place, doubtful) if doubtful else ():
        if each.commit not in ours and (each.path, each.new) not in known:
            elsewhere.setdefault(key_of(each.path), []).append(each)
    for commit, group in groupby(put, key=lambda each: each.commit):
        files = list(group)
        if not ours[commit]:
            taken = {
                key_of(each.path)
                for each in files
                if is_taken(objects, each, elsewhere.get(key_of(each.path), ()))
            }
            files = [each for each in files if key_of(each.path) not in taken]
        yield files


def _written(objects: Objects, tree: str, parents: tuple[str, str]) -> str:
    who = WHO.committer + b" " + stamp(time.time())
    return objects.write_commit(
        commit_bytes(tree, list(parents), who, who, b"git-lerim: accepted\n")
    )


def _keep(place: Place, objects: Objects, commit: str, kept: str | None) -> str:
    own_refs.note(place, ACCEPTED, commit)
    old = kept or objects.ref(ACCEPTED)  # what somebody else put there is replaced
    objects.move_ref(ACCEPTED, commit, old=old, message="git-lerim: accepted", who=WHO)
    objects.settle()
    # a reader may have put back the value before, because a prune had deleted the new objects
    now = objects.ref(ACCEPTED)
    if now != commit and not objects.descends(now or "", commit):
        raise StoreMoved(f"{ACCEPTED} was moved back by another process")
    return commit
