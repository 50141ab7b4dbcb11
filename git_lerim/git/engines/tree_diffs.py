"""Compare pairs of trees folder by folder, as deep as the caller wants.

Git is not told to recurse: a forged tree whose folders share one subtree a hundred times has more
paths than anybody can list.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from git_lerim.git.engines.diff_process import DiffProcess
from git_lerim.git.engines.trees import FOLDER
from git_lerim.git.repo import Place
from git_lerim.git.running.process import run_git

MOST = 2_000_000  # maximum number of paths to read from one history
EMPTY = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
Pair = tuple[str, str]  # trees: before, after; an empty string for none
Enters = Callable[[str], bool]  # whether to enter a folder, by its path


class PathChange(NamedTuple):
    """One path that differs between two trees."""

    path: str
    modes: tuple[int, int]  # 0 where there is nothing
    ids: Pair  # empty where there is nothing

    @property
    def status(self) -> str:
        """Git's letter for the change: A, D, T or M."""
        if not all(self.ids):
            return "D" if self.ids[0] else "A"
        return "M" if self.modes[0] & 0o170000 == self.modes[1] & 0o170000 else "T"


class TreeDiffs:
    """The differences between pairs of trees; each pair of folders is compared once."""

    def __init__(self, place: Place, pairs: Iterable[Pair], enters: Enters) -> None:
        """Compare all pairs, level by level, with one git process. Raises GitFailed.

        `enters` takes the path of a folder and returns whether to compare the folder's contents.
        """
        self._enters = enters
        self._known: dict[Pair, tuple[PathChange, ...]] = {}
        seen: set[tuple[str, Pair]] = set()
        level = {("", pair) for pair in pairs if pair[0] != pair[1]}
        with DiffProcess(place) as process:
            while level:
                seen |= level
                self._known |= _compared(process, {pair for _, pair in level} - self._known.keys())
                below = (
                    (f"{path}{each.path}", folders)
                    for path, pair in level
                    for each, folders in self._folders(path, pair)
                )
                level = {(f"{path}/", pair) for path, pair in below} - seen

    def _folders(self, path: str, pair: Pair) -> Iterator[tuple[PathChange, Pair]]:
        for each in self._known[pair]:
            if FOLDER in each.modes and self._enters(path + each.path):
                old, new = (
                    id_ if mode == FOLDER else ""
                    for mode, id_ in zip(each.modes, each.ids, strict=True)
                )
                yield each, (old, new)

    def of(self, pair: Pair, path: str = "") -> Iterator[PathChange]:
        """Yield the paths that differ in a pair of trees.

        A folder is listed itself only if its contents were not compared.
        """
        if pair[0] == pair[1]:
            return
        entered = dict(self._folders(path, pair))
        for each in self._known[pair]:
            if each in entered:
                yield from self.of(entered[each], f"{path}{each.path}/")
            else:
                yield each._replace(path=path + each.path)


def _compared(
    process: DiffProcess, pairs: Collection[Pair]
) -> Mapping[Pair, tuple[PathChange, ...]]:
    lists: dict[Pair, list[PathChange]] = {pair: [] for pair in pairs}
    if not pairs:
        return {}
    empty = {pair: tuple(id_ or EMPTY[len(max(pair, key=len))] for id_ in pair) for pair in pairs}
    output = process.compare([f"{old} {new}" for old, new in empty.values()])
    back = {f"{old} {new}".encode(): pair for pair, (old, new) in empty.items()}
    rows: list[PathChange] = []
    at = 0
    while at < len(output):  # a forged name can contain anything except NUL
        if output[at : at + 1] == b":":
            path_at = output.index(b"\0", at) + 1
            end = output.index(b"\0", path_at)
            rows.append(
                _change(
                    output[at + 1 : path_at - 1].decode(),
                    output[path_at:end].decode("utf-8", "surrogateescape"),
                )
            )
        else:
            end = output.index(b"\n", at)
            rows = []
            lists[back[output[at:end]]] = rows
        at = end + 1
    return {pair: tuple(rows) for pair, rows in lists.items()}


def _change(head: str, path: str) -> PathChange:
    old_mode, new_mode, old, new = head.split(" ")[:4]
    ids = (old if old.strip("0") else "", new if new.strip("0") else "")
    return PathChange(path, (int(old_mode, 8), int(new_mode, 8)), ids)


def trees_of(place: Place, commits: Iterable[str]) -> dict[str, str]:
    """Map each commit to the id of its tree, which git is asked for once. Raises GitFailed."""
    kept: dict[str, str] = place.known.setdefault("trees", {})  # type: ignore[assignment]
    wanted = set(commits)
    if unknown := sorted(wanted - kept.keys()):
        args = place.git(
            "log", "--no-walk=unsorted", "--no-show-signature", "--format=%H %T", "--stdin"
        )
        asked = "".join(f"{commit}\n" for commit in unknown).encode()
        output = os.fsdecode(run_git(args, cwd=place.git_dir, input=asked))
        kept |= dict(line.split(" ") for line in output.splitlines())
    return {commit: kept[commit] for commit in wanted & kept.keys()}
