"""A `git gc --prune=now` of the user beside a writer and a reader: what was acknowledged stays."""

import os
import subprocess
import sys
import time
from pathlib import Path

from support.inside import lerim
from support.repos import Repo

REF = "refs/heads/lerim/memory"


def started(repo: Repo, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "git_lerim", *words], cwd=repo.path,
        env=os.environ | {"PYTHONSAFEPATH": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def loose(repo: Repo, name: str) -> Path:
    return repo.path / ".git/objects" / name[:2] / name[2:]


def test_a_reader_does_not_put_back_what_a_writer_is_about_to_make_again(repo: Repo) -> None:
    assert lerim(repo.path, "remember", "The first thing.").code == 0
    before = repo.git("rev-parse", REF)
    gc = repo.path / ".git/gc.pid"
    gc.write_text(
        f"{os.getpid()} {os.uname().nodename}"
    )  # it is under way: the writer waits for its end
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
