"""What this clone wrote itself, or accepted: a tree that grows by its own commits and by the word of its user, never by a fetch.

`refs/lerim/accepted` keeps it: a commit whose tree holds every memory in the version that was accepted last, whose first parent
is what was accepted before, and whose second is the state of the branch up to which own commits have been taken in.
A commit is our own when no remote-tracking ref leads to it, or when the branch's reflog says that we wrote it. What a purge
here made of others' commits is on no remote either: `refs/lerim/theirs/` leads to those.
"""

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from git_lerim.git import refs
from git_lerim.git.objects import Objects
from git_lerim.git.process import run_git
from git_lerim.git.repo import Place
from git_lerim.git.signature import Identity, stamp
from git_lerim.git.trees import FILE, TreeEntry
from git_lerim.memories import naming
from git_lerim.storage.folders import beginning, written
from git_lerim.storage.message import commit_bytes

ACCEPTED = "refs/lerim/accepted"
THEIRS = "refs/lerim/theirs/"  # what a purge here made of what remotes have, by the names of the remote-tracking refs
NOT_OURS = ("--not", "--remotes", f"--glob={THEIRS}*")  # of `git rev-list`
WHO = Identity(b"git-lerim <none>", b"git-lerim <none>")  # it is a note to ourselves, and reading needs no identity
_TOOK = ("take", "join", "keep", "repair", "follow", "renew", "reject")  # what we did to a branch without writing of our own

Entries = Mapping[str, TreeEntry | None]  # by path; None: nothing stands there


@dataclass(frozen=True, slots=True)
class Introduced:
    """What one commit put at a path where none of its parents has that."""

    commit: str
    path: str
    old: tuple[str, ...]  # the blob of each parent, empty where it has none
    new: str  # likewise
    mode: int = FILE


def key_of(path: str) -> str:
    """Return what the files of one memory share: its id, or the name of a summary."""
    return naming.id_in(path) or path.removeprefix("archived/")


def introduced(place: Place, tip: str, since: str | None) -> Iterator[Introduced]:
    """Yield what the commits of a history put where, the oldest first; of a merge, what is new in it."""
    few = [f"^{since}"] if since else []
    return _put_where(place, ("--topo-order", "--reverse", tip, *few, "--"))


def _put_where(place: Place, which: Iterable[str], named: Iterable[str] = ()) -> Iterator[Introduced]:
    args = ("-c", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature", "--no-ext-diff", "--no-color", "--no-relative")
    log = place.git("log", "--root", "--format=@%H", *args, *which)
    told = run_git(log, cwd=place.git_dir, input="".join(f"{commit}\n" for commit in named).encode())
    commit = ""
    for line in told.decode("utf-8", "replace").split("\n"):
        if line.startswith("@"):
            commit = line[1:]
        elif line.startswith(":"):
            fields, _, path = line.lstrip(":").partition("\t")
            if naming.valid_path(path):
                yield _introduced(commit, path, fields.split(" "), line.count(":", 0, len(line) - len(line.lstrip(":"))))


def _introduced(commit: str, path: str, fields: list[str], parents: int) -> Introduced:
    ids = [id_ if id_.strip("0") else "" for id_ in fields[parents + 1 : 2 * parents + 2]]
    return Introduced(commit, path, tuple(ids[:-1]), ids[-1], int(fields[parents], 8))


def followed(place: Place, objects: Objects, branch: str, tip: str) -> str:
    """Return what was accepted, after taking in what the branch has of our own commits since the last time."""
    kept = objects.ref(ACCEPTED)
    before = objects.parents(kept) if kept is not None else ()
    upto = before[1] if len(before) > 1 else None  # a purge can leave one parent
    if kept is not None and upto == tip:
        return kept
    changed: dict[str, TreeEntry | None] = {}
    if upto is None or objects.descends(tip, upto):  # a history that was rewritten brings nothing of our own
        ours = _own(place, branch, tip, upto)
        known = _Known(objects, kept, changed)
        for commit, files in groupby(introduced(place, tip, upto), key=lambda each: each.commit):
            if commit in ours:
                _take(known, list(files))
    if kept is not None and before and not changed:
        return _moved(objects, kept, objects.tree_of(kept), (before[0], tip), "git-lerim: follow")
    return accepted(objects, kept, tip, changed)


def proposed(place: Place, objects: Objects, kept: str, branch: str) -> dict[str, list[TreeEntry | None]]:
    """Return by path what our own commits put on a branch that waits for review, the last one last.

    It is told by what its reflog calls our writing: others can have worked on what was pushed of it.
    """
    wrote: dict[str, list[TreeEntry | None]] = {}
    if commits := list(_logged(place, f"refs/heads/{branch}")):
        found = _put_where(place, ("--no-walk=unsorted", "--ignore-missing", "--stdin"), commits)
        known = _Known(objects, kept, {})
        for _, files in groupby(found, key=lambda each: each.commit):
            for path in _take(known, list(files)):
                wrote.setdefault(path, []).append(known.changed[path])
    return wrote


def accepted(objects: Objects, kept: str | None, tip: str, changed: Entries) -> str:
    """Note that some files were accepted as they are, and return the commit that says so."""
    base = kept or beginning(objects)
    tree = written(objects, objects.tree_of(base), changed) or objects.tree_of(base)
    return _moved(objects, kept, tree, (base, tip), "git-lerim: accept")


def ever(place: Place, commit: str) -> set[tuple[str, str]]:
    """Return path and blob of every version that was ever accepted."""
    args = ("--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature", "--no-relative", "--no-color")
    told = run_git(place.git("log", *args, "--format=", commit, "--"), cwd=place.git_dir).decode("utf-8", "replace")
    rows = (line.partition("\t") for line in told.split("\n") if line.startswith(":"))
    return {(path, fields.split(" ")[3]) for fields, _, path in rows}


class _Known:
    """The accepted files, with those that are being added."""

    def __init__(self, objects: Objects, commit: str | None, changed: dict[str, TreeEntry | None]) -> None:
        self._objects = objects
        self._commit = commit
        self.changed = changed

    def blob(self, path: str) -> str:
        if path not in self.changed:
            entry = self._objects.entry_at(self._commit, path) if self._commit else None
            return entry.id if entry else ""
        found = self.changed[path]
        return found.id if found else ""


def _take(known: _Known, files: list[Introduced]) -> list[str]:
    """Accept what one of our commits wrote, but of a memory only where it stood, before, as it was accepted; return the paths.

    So what we add to somebody else's words does not accept them; nor does a merge, which mixes two versions.
    """
    waiting = {key_of(each.path) for each in files if len(each.old) > 1 or any(old != known.blob(each.path) for old in each.old)}
    taken = [each for each in files if key_of(each.path) not in waiting]
    for each in taken:
        known.changed[each.path] = TreeEntry(each.path.rpartition("/")[2].encode(), each.mode, each.new) if each.new else None
    return [each.path for each in taken]


def _own(place: Place, branch: str, tip: str, since: str | None) -> Collection[str]:
    few = [f"^{since}"] if since else []
    local = run_git(place.git("rev-list", tip, *few, *NOT_OURS), cwd=place.git_dir)
    return {*local.decode("ascii").split(), *_logged(place, f"refs/heads/{branch}")}


def _logged(place: Place, ref: str) -> Iterator[str]:
    """Yield the commits that the reflog of a branch calls our own writing, the oldest first."""
    if refs.in_table(place.common_dir):
        args = place.git("log", "--walk-reflogs", "--no-show-signature", "--format=%H %gs", ref, "--")
        lines: Iterable[str] = reversed(os.fsdecode(run_git(args, cwd=place.git_dir, check=False)).split("\n"))
        rows = (line.partition(" ")[::2] for line in lines)
    else:
        try:
            raw = (place.common_dir / "logs" / ref).read_text("utf-8", "replace").split("\n")
        except OSError:
            return
        rows = ((head.split(" ")[1], said) for head, tab, said in (line.partition("\t") for line in raw) if tab)
    for commit, said in rows:
        if said.startswith("git-lerim: ") and not said.removeprefix("git-lerim: ").startswith(_TOOK):
            yield commit


def _moved(objects: Objects, kept: str | None, tree: str, parents: tuple[str, str], message: str) -> str:
    who = WHO.committer + b" " + stamp(time.time())
    commit = objects.write_commit(commit_bytes(tree, list(parents), who, who, message.encode() + b"\n"))
    objects.move_ref(ACCEPTED, commit, old=kept, message=message, who=WHO)
    objects.settle()
    return commit
