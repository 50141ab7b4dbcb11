"""Resolve `PATH[:LINE[-LINE]]` to a file or folder, present, past or deleted."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from git_lerim.errors import UsageError
from git_lerim.git import refs, repo
from git_lerim.git.commits.ancestry import is_ancestor
from git_lerim.git.history import code_commits
from git_lerim.git.history.code_commits import Commit
from git_lerim.git.running.process import git_line
from git_lerim.sessions.scope import Roots
from git_lerim.storage.history import past
from git_lerim.workspace import Workspace

LINES = re.compile(r"(.+?):(\d{1,9})(?:-(\d{1,9}))?", re.DOTALL)
Choice = tuple[str, tuple[int, int] | None]
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A location in the code, and the last commit that has it."""

    path: str  # relative to the root; empty for the root
    lines: tuple[int, int] | None
    state: str  # present | untracked | gone | nowhere
    folder: bool = False
    # the last commit that has it, if any
    tip: str | None = None
    live: bool = False  # in the work tree, uncommitted changes included
    gone: Commit | None = None  # the commit that removed it
    submodule: str = ""  # the submodule that contains the path, if any


def find(ws: Workspace, text: str, at: str | None) -> Target:
    """Find the location that `text` names, in the work tree or at a revision or date.

    Raises UsageError if the text is not a valid location in this repository.
    """
    if not text:
        raise UsageError("the path is empty", hint=". means the current folder")
    tip = repo.head(ws.place) if at is None else _code_at(ws, at)
    choices = list(dict.fromkeys(_choices(ws, text)))
    if not choices:
        raise UsageError(
            f"{text!a} is outside this repository",
            hint="git lerim why takes PATH, PATH:LINE or PATH:LINE-LINE",
        )
    found = _in_worktree(ws, choices, tip) if at is None and ws.place.worktree else None
    if found is None and tip is not None:
        found = next(
            (present for choice in choices if (present := _at_commit(ws, choice, tip))), None
        )
        found = found or next(
            (gone for choice in choices if (gone := _deleted(ws, choice, tip))), None
        )
    return found or Target(path=choices[0][0], lines=choices[0][1], state="nowhere", tip=tip)


def _choices(ws: Workspace, text: str) -> Iterator[Choice]:
    """Yield what `PATH[:LINE[-LINE]]` may mean, likeliest first.

    The numbers may be part of the file's name, and a backslash may stand for a slash.
    """
    match = LINES.fullmatch(text)
    for named in dict.fromkeys([match[1] if match else text, text]):
        lines = (int(match[2]), int(match[3] or match[2])) if match and named != text else None
        if lines and not 1 <= lines[0] <= lines[1]:
            raise UsageError(
                f"{text!a} has no valid line numbers",
                hint="line numbers start at 1, as in PATH:10-42",
            )
        for spelt in dict.fromkeys([named, named.replace("\\", "/")]):
            path = _relative(ws, spelt)
            if path is not None and path.partition("/")[0] != ".git":
                yield path, lines


def _relative(ws: Workspace, named: str) -> str | None:
    top = ws.place.worktree
    roots = Roots((*ws.territory.worktrees, *ws.settings["repositoryPath"]))
    if top is None or _DRIVE.match(named):
        return "" if named in {".", ""} else roots.relative(os.path.normpath(named))
    whole = os.path.normpath(Path.cwd() / named)
    return "" if Path(whole) in map(Path, ws.territory.worktrees) else roots.relative(whole)


def _in_worktree(ws: Workspace, choices: list[Choice], tip: str | None) -> Target | None:
    """Return the location in the work tree, or None if none of the choices exists.

    A file that is called `x:1` is preferred to line 1 of `x`.
    """
    top = ws.place.worktree or Path()
    present = next(
        ((path, lines) for path, lines in reversed(choices) if os.path.lexists(top / path)), None
    )
    if present is None:
        return None
    folder = (top / present[0]).is_dir() and not (top / present[0]).is_symlink()
    known = tip is not None and code_commits.object_at(ws.place, tip, present[0]) is not None
    return Target(
        path=present[0],
        lines=present[1],
        state="present" if known else "untracked",
        folder=folder,
        tip=tip,
        live=True,
        submodule="" if known or tip is None else _submodule(ws, present[0], tip),
    )


def _submodule(ws: Workspace, path: str, tip: str) -> str:
    """Return the submodule in which a path lies, or an empty string."""
    folders = (str(folder) for folder in PurePosixPath(path).parents if folder.name)
    found = ((folder, code_commits.object_at(ws.place, tip, folder)) for folder in folders)
    return next((folder for folder, entry in found if entry and entry.kind == "commit"), "")


def _at_commit(ws: Workspace, choice: Choice, tip: str) -> Target | None:
    entry = code_commits.object_at(ws.place, tip, choice[0])
    return (
        Target(
            path=choice[0], lines=choice[1], state="present", folder=entry.kind == "tree", tip=tip
        )
        if entry
        else None
    )


def _deleted(ws: Workspace, choice: Choice, tip: str) -> Target | None:
    """Find the location of a deleted path in the code's history or on another branch."""
    path, lines = choice
    last = next(iter(code_commits.changes(ws.place, path, tip, 1, folder=True)), None)
    if last is None:
        other = code_commits.last_change_elsewhere(ws.place, path, ws.settings["branch"])
        last = (
            next(iter(code_commits.changes(ws.place, path, other, 1, folder=True)), None)
            if other
            else None
        )
    if last is None:
        return None
    for commit, gone in ((last.id, None), *((parent, last) for parent in last.parents)):
        if entry := code_commits.object_at(ws.place, commit, path):
            return Target(
                path=path,
                lines=lines,
                state="gone",
                folder=entry.kind == "tree",
                tip=commit,
                gone=gone,
            )
    return None


def _code_at(ws: Workspace, at: str) -> str | None:
    """Return the code's commit at a revision or date.

    For a revision of the memory branch, this is the code at the time of that revision.
    """
    head = repo.head(ws.place)
    if at.isprintable() and not at.startswith("-"):
        named = git_line(
            ws.place.git("rev-parse", "-q", "--verify", f"{at}^{{commit}}"), cwd=ws.place.git_dir
        )
        memory = refs.read_ref(ws.place.common_dir, f"refs/heads/{ws.settings['branch']}")
        if named and not (memory and is_ancestor(ws.place, named, memory)):
            return named
    return past.commit_at(ws.place, head, at) if head else None
