"""Run `git blame` on the user's code, to find which commit wrote which lines."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from git_lerim.git.endless_files import endless_above
from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import disable_drivers
from git_lerim.git.running.process import endless, failure, start_git

# for a longer span, blame does not search for lines moved from elsewhere: that can take seconds
MOVED_LINES = 200
_LINE = re.compile(rb"([0-9a-f]{40,64}) (\d+) (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blamed:
    """The lines of a file that one commit wrote; `commit` is None for uncommitted lines."""

    commit: str | None
    path: str  # the file's name in that commit
    lines: tuple[tuple[int, int], ...]  # line ranges in the current file
    moved: bool = False  # the commit only moved or reindented the lines
    # the commit before this one and the file's name in it; None for a new file
    previous: tuple[str, str] | None = None


def start_blame(
    place: Place,
    path: str,
    span: tuple[int, int] | None,
    commit: str | None,
    *,
    origin: bool = True,
) -> Callable[[], list[Blamed]]:
    """Start `git blame`; return a function that waits for it and returns its result.

    The commits with the most lines come first. Without a commit, blames the file in the work tree.
    With `origin`, a line that was moved or reindented counts for the commit that first wrote it.
    Revisions in blame.ignoreRevsFile are skipped. The returned function must be called; it raises
    GitFailed.
    """
    how = ["--porcelain", "--no-textconv"]
    if origin:
        how += ["-w", "-M", "-C"] if span and span[1] - span[0] < MOVED_LINES else ["-w"]
    if span:
        how += ["-L", f"{span[0]},{span[1]}"]
    how += [commit] if commit else []
    args = [*disable_drivers(place), *place.git("blame", *how, "--", path)]
    folder = place.git_dir if commit else place.worktree
    if folder and (pipe := endless_above(str(folder), path)):
        raise endless(pipe)
    done = start_git(args, cwd=folder)

    def blamed() -> list[Blamed]:
        told = done()
        # the file of blame.ignoreRevsFile is missing
        if told.returncode and b"object name list" in told.stderr:
            told = start_git(["-c", "blame.ignoreRevsFile=", *args], cwd=folder)()
        if told.returncode:
            raise failure(args, told.stderr)
        return sorted(
            _blamed(told.stdout),
            key=lambda each: -sum(last - first + 1 for first, last in each.lines),
        )

    return blamed


def _blamed(told: bytes) -> Iterator[Blamed]:
    found: dict[tuple[str, str], list[int]] = {}
    names: dict[str, str] = {}
    previous: dict[str, tuple[str, str]] = {}
    commit, number = "", 0
    for line in told.split(b"\n"):
        if match := _LINE.match(line):
            commit, number = match[1].decode(), int(match[3])
        elif line.startswith(b"filename "):
            names[commit] = _unquoted(line[9:])
        elif line.startswith(b"previous "):
            before, _, name = line[9:].partition(b" ")
            previous[commit] = before.decode(), _unquoted(name)
        elif line.startswith(b"\t"):
            found.setdefault((commit, names.get(commit, "")), []).append(number)
    for (commit, path), numbers in found.items():
        id_ = commit if commit.strip("0") else None
        yield Blamed(commit=id_, path=path, lines=_spans(numbers), previous=previous.get(commit))


def _spans(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return tuple(spans)


def _unquoted(name: bytes) -> str:
    """Return a path from git's output, where it may be quoted as in C."""
    if name.startswith(b'"'):
        escapes = {
            b"n": b"\n",
            b"t": b"\t",
            b"r": b"\r",
            b"a": b"\a",
            b"b": b"\b",
            b"f": b"\f",
            b"v": b"\v",
        }
        name = re.sub(
            rb"\\([0-7]{3}|.)",
            lambda m: bytes([int(m[1], 8) & 255]) if len(m[1]) == 3 else escapes.get(m[1], m[1]),
            name[1:-1],
        )
    return os.fsdecode(name)
