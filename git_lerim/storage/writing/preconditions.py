"""Check that the memory branch can be written to."""

from git_lerim.errors import BranchBlocked, NewerFormat
from git_lerim.git import refs
from git_lerim.git.engines.trees import FILE, Trees
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain
from git_lerim.storage import layout


def refuse_if_blocked(place: Place, branch: str) -> None:
    """Raise BranchBlocked if a branch is checked out, symbolic, or conflicts with another name."""
    ref = f"refs/heads/{branch}"
    if target := refs.symbolic(place.common_dir, ref):
        what = f"{branch} is only another name of {plain(target)} (a symbolic ref)"
        raise BranchBlocked(
            f"{what}, and nothing was written",
            hint="name the branch that is meant: git config lerim.branch NAME",
        )
    worktree = refs.checked_out(place.common_dir, ref, bare=place.bare)
    if worktree is not None:
        raise BranchBlocked(
            f"{branch} is checked out in {plain(worktree)}, and nothing was written",
            hint="switch to another branch there",
        )
    parent = ref
    while (parent := parent.rpartition("/")[0]) != "refs/heads":
        if refs.read_ref(place.common_dir, parent) is not None:
            name = parent.removeprefix("refs/heads/")
            hint = "choose another name: git config lerim.branch lerim-memory"
            raise BranchBlocked(f"a branch called {name} leaves no room for {branch}", hint=hint)
    if refs.exists_below(place.common_dir, ref):
        hint = "choose another name: git config lerim.branch lerim-memory"
        raise BranchBlocked(f"branches below {branch}/ leave no room for it", hint=hint)


def refuse_newer(objects: Trees, tree: str, branch: str) -> None:
    """Raise NewerFormat for a layout newer than this version's, BranchBlocked if it is no store."""
    marker = next(
        (
            entry
            for entry in objects.entries(tree)
            if entry.name == b"format" and entry.mode == FILE
        ),
        None,
    )
    if marker is None:
        hint = (
            "choose another name with lerim.branch; if it is the memory, bring its file `format`"
            " back"
        )
        raise BranchBlocked(
            f"{branch} has no file `format`, so it is no memory branch; nothing was written",
            hint=hint,
        )
    told = objects.blob(marker.id)[:20].strip()
    if not told.isdigit() or int(told) > layout.FORMAT:
        shown = plain(told.decode(errors="replace"))
        raise NewerFormat(
            f"{branch} has layout {shown}; this git-lerim writes layout {layout.FORMAT}",
            hint="install a newer git-lerim",
        )
