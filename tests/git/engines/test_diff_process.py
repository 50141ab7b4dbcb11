import os
import subprocess

import pytest
from support.repos import Repo

from git_lerim.git.engines.diff_process import DiffProcess
from git_lerim.git.engines.tree_diffs import TreeDiffs, trees_of
from git_lerim.git.repo import discover


def trees(repo: Repo, number: int) -> list[str]:
    """Write trees, each with one file in a folder of a folder."""
    blob = repo.git("hash-object", "-w", "--stdin", stdin="x\n")
    made = []
    for n in range(number):
        tree = repo.git("mktree", stdin=f"100644 blob {blob}\tfile{n}\n")
        for name in ("b", "a"):
            tree = repo.git("mktree", stdin=f"040000 tree {tree}\t{name}\n")
        made.append(tree)
    return made


def test_one_process_compares_all_levels_of_folders(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = trees(repo, 2)
    trace = repo.path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))

    diffs = TreeDiffs(discover(repo.path, os.environ), [(old, new)], lambda _: True)

    assert {(each.path, each.status) for each in diffs.of((old, new))} == {
        ("a/b/file0", "D"), ("a/b/file1", "A")
    }  # fmt: skip
    assert trace.read_text().count("git diff-tree") == 1


def test_more_pairs_than_fit_into_a_pipe_are_compared_as_git_does(repo: Repo) -> None:
    one, two, three = trees(repo, 3)
    pairs = [f"{one} {two}", f"{two} {three}", f"{three} {one}"] * 2000
    alone = subprocess.run(
        ["git", "diff-tree", "--stdin", "-z", "--raw", "--no-abbrev"],
        cwd=repo.path, input="".join(f"{pair}\n" for pair in pairs).encode(), check=True,
        capture_output=True,
    )  # fmt: skip

    with DiffProcess(discover(repo.path, os.environ)) as process:
        assert process.compare(pairs) == alone.stdout


def test_trees_are_compared_again_where_the_process_has_ended(repo: Repo) -> None:
    one, two, three = trees(repo, 3)

    with DiffProcess(discover(repo.path, os.environ)) as process:
        first = process.compare([f"{one} {two}"])
        process._running.close()
        second = process.compare([f"{one} {three}"])

        process._pipes = None
        third = process.compare([f"{two} {three}"])

    assert first.startswith(f"{one} {two}\n:".encode())
    assert second.startswith(f"{one} {three}\n:".encode())
    assert third.startswith(f"{two} {three}\n:".encode())


def test_git_is_asked_once_for_the_tree_of_a_commit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = repo.git("rev-parse", "HEAD")
    second = repo.commit({"a.py": "a\n"})
    place = discover(repo.path, os.environ)
    trace = repo.path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))

    one, both, none = (
        trees_of(place, [first]),
        trees_of(place, [first, second]),
        trees_of(place, []),
    )
    again = trees_of(place, [second])
    asked = trace.read_text().count("--no-walk=unsorted")

    assert both == {each: repo.git("rev-parse", f"{each}^{{tree}}") for each in (first, second)}
    assert (one[first], again, none) == (both[first], {second: both[second]}, {})
    assert asked == 2
