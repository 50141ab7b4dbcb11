"""A `git gc --prune=now` of the user beside a writer and a reader: what was acknowledged stays."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import forks
from support.inside import lerim
from support.repos import Repo

REF = "refs/heads/lerim/memory"


def started(repo: Repo, *words: str) -> forks.Running:
    return forks.start(repo.path, words, os.environ | {"PYTHONSAFEPATH": "1"})


def loose(repo: Repo, name: str) -> Path:
    return repo.path / ".git/objects" / name[:2] / name[2:]


@contextmanager
def under_way(*words: str) -> Iterator[None]:
    """A git that has listed what it will delete, and deletes it only after this block."""
    waiting = [sys.executable, "-c", "print(flush=True); input()", *words]
    with subprocess.Popen(
        ["git", *waiting[1:]], executable=waiting[0],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate(b"\n")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="nothing else tells that a prune runs")
def test_what_is_remembered_beside_a_prune_outlives_it(repo: Repo) -> None:
    assert lerim(repo.path, "remember", "The first thing.").code == 0
    with under_way("prune", "--expire=now"):
        known = set((repo.path / ".git/objects").glob("??/*"))
        assert lerim(repo.path, "remember", "The second thing.").code == 0
    for path in set((repo.path / ".git/objects").glob("??/*")) - known:
        path.unlink()  # as the prune does that began before the ref had moved

    assert "The second thing" in lerim(repo.path, "list").out
    assert list((repo.path / ".git/objects/pack").glob("*.keep")) == []
    repo.git("fsck", "--no-dangling")


def test_a_gc_that_prunes_for_long_takes_nothing_that_was_remembered(repo: Repo) -> None:
    assert lerim(repo.path, "remember", "The first thing.").code == 0
    known = set((repo.path / ".git/objects").glob("??/*"))
    (repo.path / ".git/gc.pid").write_text(f"{os.getpid()} {os.uname().nodename}")

    assert lerim(repo.path, "remember", "The second thing.").code == 0
    for path in set((repo.path / ".git/objects").glob("??/*")) - known:
        path.unlink()  # as above

    assert "The second thing" in lerim(repo.path, "list").out
    repo.git("fsck", "--no-dangling")


def test_a_reader_does_not_put_back_what_a_writer_is_about_to_make_again(repo: Repo) -> None:
    assert lerim(repo.path, "remember", "The first thing.").code == 0
    before = repo.git("rev-parse", REF)
    gc = repo.path / ".git/gc.pid"
    gc.write_text(f"{os.getpid()} {os.uname().nodename}")  # it is under way
    writer = started(repo, "remember", "The second thing.")
    while (after := repo.git("rev-parse", REF)) == before:
        time.sleep(0.005)
    tree = repo.git("rev-parse", f"{after}^{{tree}}")
    for name in (after, tree):
        loose(repo, name).unlink()  # as the gc does that began before the ref had moved

    reader = started(repo, "list")
    time.sleep(1.0)
    gc.unlink()
    wrote, read = writer.communicate(timeout=60), reader.communicate(timeout=60)

    assert writer.returncode == 0, wrote
    assert reader.returncode == 0, read
    assert "The second thing" in lerim(repo.path, "list").out
    assert repo.git("rev-parse", REF) == after
    assert list((repo.path / ".git/lerim").glob("broken-ref-*")) == []


def test_a_list_tells_where_a_repair_left_something_out(repo: Repo) -> None:
    assert lerim(repo.path, "remember", "The first thing.").code == 0
    assert lerim(repo.path, "remember", "The second thing.").code == 0
    held = repo.git("rev-parse", REF)
    hidden = loose(repo, held)
    hidden.rename(repo.path / "hidden")

    assert "The first thing" in lerim(repo.path, "list").out
    hidden.parent.mkdir(exist_ok=True)
    (repo.path / "hidden").rename(hidden)  # it was only away

    for _ in range(2):
        told = lerim(repo.path, "list")
        assert "broken-ref-" in told.err
        assert "The second thing" not in told.out
