"""Check that the memory branch can be written to."""

from git_lerim.errors import BranchBlocked, NewerFormat
from git_lerim.git import refs
from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, Trees, raw_entries
from git_lerim.git.repo import Place
from git_lerim.git.running.process import plain
from git_lerim.storage import layout

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
    told = objects.blob(marker.id)[:20].strip()
    if not told.isdigit() or int(told) > layout.FORMAT:
        shown = plain(told.decode(errors="replace"))
        raise NewerFormat(
            f"{branch} has layout {shown}; this git-lerim writes layout {layout.FORMAT}",
            hint="install a newer git-lerim",
        )


def refuse_fetched(objects: Trees, tree: str, branch: str) -> None:
    """Raise NewerFormat or BranchBlocked if a fetched store cannot be read."""
    refuse_newer(objects, tree, branch)
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
