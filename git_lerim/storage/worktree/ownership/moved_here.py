"""Keep, in a ref, the authors of others' memories that were moved into this work tree."""

from collections.abc import Mapping

from git_lerim.git import own_refs
from git_lerim.git.commits.identity import stamp
from git_lerim.git.engines.objects import Objects
from git_lerim.storage.branch.tree_builder import written
from git_lerim.storage.trust import accepted
from git_lerim.storage.writing.message import commit_bytes

THEIRS = "refs/lerim/theirs-tree"


def named(objects: Objects) -> dict[str, str]:
    """Return the authors of other people's memories that were moved here, by key."""
    kept = own_refs.readable(objects, objects.ref(THEIRS))
    entries = objects.entries(objects.tree_of(kept)) if kept else []
    return {
        each.name.decode("utf-8", "replace"): objects.blob(each.id).decode("utf-8", "replace")
        for each in entries
    }


def mark(objects: Objects, names: Mapping[str, bytes]) -> None:
    """Record the authors of memories; `names` maps the memories' keys to the authors."""
    old = objects.ref(THEIRS)
    kept = own_refs.readable(objects, old)
    tree = written(objects, objects.tree_of(kept) if kept else None, names) or ""
    who = accepted.WHO.committer + b" " + stamp(0)
    commit = objects.write_commit(commit_bytes(tree, [], who, who, b"git-lerim: theirs\n"))
    objects.move_ref(THEIRS, commit, old=old, message="git-lerim: theirs", who=accepted.WHO)
    objects.settle()
