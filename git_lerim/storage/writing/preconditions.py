"""Check that the memory branch can be written to."""

from dataclasses import replace

from git_lerim.errors import BranchBlocked, GitFailed, NewerFormat
from git_lerim.git import refs
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, Trees, raw_entries
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain
from git_lerim.memories.memory import FILE_LIMIT
from git_lerim.storage import layout
from git_lerim.storage.base import Change

_FORBIDDEN = {b"", b".", b"..", b".git"}  # names in a tree


def refuse_if_blocked(place: Place, branch: str) -> None:
    """Raise BranchBlocked if a branch cannot be written to.

    That is so if it is checked out or symbolic, or if its name conflicts with that of another
    branch, as `lerim/memory` does with `lerim`.
    """
    if found := _obstacle(place, branch):
        raise BranchBlocked(f"{found[0]}; nothing was written", hint=found[1])


def blocked(place: Place, objects: Trees, branch: str, tree: str | None) -> BranchBlocked | None:
    """Return why a branch cannot be created or used for the memory, or None if it can be.

    `tree` is the branch's tree, or None if there is no branch yet.
    """
    if tree is None:
        found = _obstacle(place, branch)
    else:
        found = None if _marker(objects, tree) else _foreign(branch)
    return BranchBlocked(found[0], hint=found[1]) if found else None


def _obstacle(place: Place, branch: str) -> tuple[str, str] | None:
    """Return why a branch cannot be written to, with a hint, or None."""
    ref = f"refs/heads/{branch}"
    if target := refs.symbolic(place.common_dir, ref):
        what = f"{branch} is a symbolic ref to {plain(target)}"
        return what, "set the real branch: git config lerim.branch NAME"
    worktree = refs.checked_out(place.common_dir, ref, bare=place.bare)
    if worktree is not None:
        where = f"{branch} is checked out in {plain(worktree)}"
        return where, "switch to another branch there"
    parent = ref
    while (parent := parent.rpartition("/")[0]) != "refs/heads":
        if refs.read_ref(place.common_dir, parent) is not None:
            name = parent.removeprefix("refs/heads/")
            return f"a branch called {name} leaves no room for {branch}", _RENAME
    if refs.exists_below(place.common_dir, ref):
        return f"branches below {branch}/ leave no room for {branch}", _RENAME
    return None


_RENAME = "choose another name: git config lerim.branch lerim-memory"


def refuse_foreign(objects: Trees, tree: str, branch: str) -> TreeEntry:
    """Raise BranchBlocked if a tree is not a store; return its entry for `format`, unread."""
    marker = _marker(objects, tree)
    if marker is None:
        reason, hint = _foreign(branch)
        raise BranchBlocked(f"{reason}; nothing was written", hint=hint)
    return marker


def refuse_newer(objects: Trees, tree: str, branch: str) -> None:
    """Raise NewerFormat if a store's layout is too new, BranchBlocked if it is not a store."""
    marker = refuse_foreign(objects, tree, branch)
    if (number := _number(objects, marker.id) or 0) > layout.FORMAT:
        raise NewerFormat(
            f"{branch} has layout {number}; this git-lerim writes layout {layout.FORMAT}",
            hint=layout.NEWER,
        )


def with_format(objects: Trees, tree: str, change: Change) -> Change:
    """Return a change that also repairs the store's file `format` if that is damaged."""
    marker = _marker(objects, tree)
    if marker is None or _number(objects, marker.id) is not None:
        return change
    return replace(change, files={"format": layout.ROOT_FILES["format"], **change.files})


def format_fault(objects: Trees, blob: str) -> str:
    """Return what is wrong with a store's file `format` and what to do, or "" if nothing is."""
    try:
        number = _number(objects, blob)
    except GitFailed as error:
        return "" if objects.is_partial() else str(error)  # it may not have been fetched
    if number is None:
        return "contains no valid layout number; the next change of the memory repairs this file"
    if number <= layout.FORMAT:
        return ""
    return (
        f"names layout {number}, so this git-lerim (layout {layout.FORMAT}) can read the memory,"
        f" but not change it; {layout.NEWER}"
    )


def _number(objects: Trees, blob: str) -> int | None:
    """Return the layout that a file `format` names, or None if the file is damaged."""
    return layout.number_in(objects.blob(blob)) if objects.size(blob) <= FILE_LIMIT else None


def refuse_fetched(objects: Trees, tree: str, branch: str) -> None:
    """Raise NewerFormat or BranchBlocked if a fetched store cannot be read."""
    try:
        refuse_newer(objects, tree, branch)
    except NewerFormat as error:
        what = f"{error}, so new commits there wait; nothing was merged"
        raise NewerFormat(what, hint=error.hint) from error
    refuse_too_large(objects, tree, branch)
    if (path := _forged(objects, tree)) is not None:
        raise BranchBlocked(
            f"the folder {plain(path) or '/'} of {branch} contains a duplicate or forbidden name,"
            " so it is not read; nothing was written",
            hint="the commit that added it must be reverted on the remote",
        )


def _forged(objects: Trees, root: str) -> str | None:
    """Return the path of a folder that git itself would never write, or None.

    Such a folder contains a name twice, or a forbidden name. A fetch without `fetch.fsckObjects`
    accepts it; writing on top of it would lose files.
    """
    waiting = [("", root)]
    while waiting:
        path, tree = waiting.pop()
        names = [name for _, name, _ in raw_entries(objects, tree)]
        if len({*names}) < len(names) or any(
            name.lower() in _FORBIDDEN or b"/" in name for name in names
        ):
            return path
        if not layout.is_month(path.rstrip("/")):
            folders = (
                (path + entry.name.decode("utf-8", "replace"), entry.id)
                for entry in objects.entries(tree)
                if entry.mode == FOLDER
            )
            waiting += [(f"{name}/", below) for name, below in folders if layout.is_folder(name)]
    return None


def refuse_too_large(objects: Trees, tree: str, branch: str) -> None:
    """Raise BranchBlocked for a store too large to be read."""
    if is_too_large(objects, tree):
        raise BranchBlocked(
            f"{branch} has more than {layout.ENTRIES_LIMIT} files, so it is not read; nothing was"
            " written",
            hint="the commit that added them must be reverted on the remote",
        )


def is_too_large(objects: Trees, root: str) -> bool:
    """Return whether the folders of a store have too many entries to be read.

    Each tree is listed only once, even if it is used many times.
    """
    count, waiting = 0, [("", root)]
    counted: dict[str, int] = {}
    while waiting and count <= layout.ENTRIES_LIMIT:
        path, tree = waiting.pop()
        if layout.is_month(path.rstrip("/")) or path == f"{layout.PURGED}/":
            if tree not in counted:
                counted[tree] = len(raw_entries(objects, tree))
            count += counted[tree]
            continue
        entries = objects.entries(tree)
        count += len(entries)
        folders = (
            (path + entry.name.decode("utf-8", "replace"), entry.id)
            for entry in entries
            if entry.mode == FOLDER
        )
        waiting += [
            (f"{name}/", below)
            for name, below in folders
            if layout.is_folder(name) or name == layout.PURGED
        ]
    return count > layout.ENTRIES_LIMIT


def _marker(objects: Trees, tree: str) -> TreeEntry | None:
    """Return a tree's entry for `format`, a file that every store has, or None."""
    return next(
        (
            entry
            for entry in objects.entries(tree)
            if entry.name == b"format" and entry.mode == FILE
        ),
        None,
    )


def _foreign(branch: str) -> tuple[str, str]:
    return (
        f"{branch} has no file `format`, so it is not a memory branch",
        "choose another name with lerim.branch; if it is the memory, restore its file `format`",
    )
