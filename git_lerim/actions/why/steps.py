"""Find the commits behind code, with git blame and git log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from git_lerim.actions.why.code_location import Target
from git_lerim.actions.why.commit_sessions import Step
from git_lerim.errors import GitFailed, UsageError
from git_lerim.git import refs
from git_lerim.git.history import code_blame, code_commits
from git_lerim.git.history.code_blame import Blamed
from git_lerim.git.history.code_commits import Commit
from git_lerim.tokens import counted, span
from git_lerim.workspace import Workspace

CHANGES = 200  # commits of a history to read
STEPS = 10  # commits to find sessions for


def find_steps(ws: Workspace, asked: Target) -> tuple[list[Step], list[str]]:
    """Return the commits behind the code, most relevant first, and the file's names in them."""
    if asked.state == "nowhere" or (asked.tip is None and asked.folder):
        return [], []
    if asked.tip is None:
        return [_uncommitted(ws, asked, None)], []
    if asked.folder:
        changes = code_commits.changes(ws.place, asked.path, asked.tip, CHANGES, folder=True)
        facts = code_commits.commits(ws.place, [change.id for change in changes[:STEPS]])
        return [
            Step(
                commit=facts.get(change.id, change),
                names=change.paths,
                since=_last_changes(change, changes[number + 1 :]),
            )
            for number, change in enumerate(changes[:STEPS])
        ], []
    blamed, own = _blamed(ws, asked)
    blamed = blamed[:STEPS]
    waits = [
        code_commits.start_last_change(ws.place, *each.previous) if each.previous else None
        for each in blamed
    ]
    facts = code_commits.commits(ws.place, [each.commit for each in blamed if each.commit])
    before = [wait() if wait else None for wait in waits]
    here = facts.keys() - refs.shallow(ws.place.common_dir)
    known = [
        (each, time)
        for each, time in zip(blamed, before, strict=True)
        if each.commit in {None, *here}
    ]
    return [_step(ws, asked, each, (facts, time)) for each, time in known], own


def _step(
    ws: Workspace,
    asked: Target,
    blamed: Blamed,
    known: tuple[Mapping[str, Commit], int | None],
) -> Step:
    facts, before = known
    if blamed.commit is None:
        return replace(_uncommitted(ws, asked, before), lines=blamed.lines)
    names = tuple(dict.fromkeys([blamed.path, *([blamed.previous[1]] if blamed.previous else [])]))
    since = dict.fromkeys(names, before) if before is not None else {}
    return Step(
        commit=facts[blamed.commit],
        names=names,
        since=since,
        lines=blamed.lines,
        moved=blamed.moved,
    )


def _last_changes(change: Commit, earlier: Sequence[Commit]) -> dict[str, int]:
    """Map each path of a commit to the time of its previous change, in seconds."""
    paths = set(change.paths)
    return {
        path: before.authored
        for before in reversed(earlier)
        for path in before.paths
        if path in paths
    }


def _blaming(ws: Workspace, asked: Target) -> list[Callable[[], list[Blamed]]]:
    """Start git blame to find who wrote the lines and, for a range, who last touched them."""
    tip = None if asked.live else asked.tip
    kinds = (True, False) if asked.lines else (True,)
    return [
        code_blame.start_blame(ws.place, asked.path, asked.lines, tip, origin=origin)
        for origin in kinds
    ]


def _blamed(ws: Workspace, asked: Target) -> tuple[list[Blamed], list[str]]:
    """Return the commits that wrote the lines, then those that only moved them.

    Also return the file's names in these commits. Raises UsageError if the lines are beyond the
    end of the file.
    """
    if asked.submodule:  # another repository has its history
        return [], []
    if asked.state == "untracked":
        before = (asked.tip, asked.path) if asked.tip else None
        lines = (asked.lines,) if asked.lines else ()
        return [Blamed(commit=None, path=asked.path, lines=lines, previous=before)], []
    found, errors = [], []
    for result in _blaming(ws, asked):  # wait for every process
        try:
            found.append(result())
        except GitFailed as error:
            errors.append(error)
    if errors:
        _refuse_lines(asked, errors[0])
        # blame fails on a submodule, for example
        changes = code_commits.changes(ws.place, asked.path, asked.tip, STEPS) if asked.tip else []
        return [Blamed(commit=change.id, path=asked.path, lines=()) for change in changes], []
    wrote, touched = found[0], found[-1]  # the same, unless lines were asked for
    known = {each.commit for each in wrote}
    names = [
        name for each in touched for name in (each.path, *(each.previous or ("", each.path))[1:])
    ]
    moved = (replace(each, moved=True) for each in touched if each.commit not in known)
    return [*wrote, *moved], names


def _refuse_lines(asked: Target, error: GitFailed) -> None:
    """Raise UsageError if git blame failed because the file has fewer lines."""
    message = str(error)
    if asked.lines and "has only" in message:
        noun = "line" if asked.lines[0] == asked.lines[1] else "lines"
        count = int(message.rpartition("has only ")[2].split(" ")[0])
        raise UsageError(
            f"{asked.path} has no {noun} {span(asked.lines)}",
            hint=f"the file has {counted(count, 'line')}",
        ) from error


def _uncommitted(ws: Workspace, asked: Target, before: int | None) -> Step:
    now = int(ws.now.timestamp())
    commit = Commit(
        id="",
        authored=now,
        committed=now,
        author="",
        subject="not committed yet",
        paths=(asked.path,),
    )
    since = {asked.path: before} if before is not None else {}
    return Step(
        commit=commit, names=(asked.path,), since=since, lines=(asked.lines,) if asked.lines else ()
    )
