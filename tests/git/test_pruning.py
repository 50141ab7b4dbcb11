"""Which git processes may delete what was written a moment ago."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from git_lerim.git.pruning import may_delete_fresh


@pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(),
    reason="no other system tells what a process was called with",
)
@pytest.mark.parametrize(
    ("words", "prunes"),
    [
        (("git", "prune", "--expire=now"), True),
        (("/usr/lib/git-core/git", "-C", "elsewhere", "prune"), True),
        (("/usr/lib/git-core/git-prune",), True),
        (("git", "fetch", "--prune"), False),
        (("docker", "prune"), False),
    ],
)
def test_a_prune_that_runs_is_seen_by_its_name(
    words: tuple[str, ...], tmp_path: Path, *, prunes: bool
) -> None:
    waiting = [words[0], "-c", "print(flush=True); input()", *words[1:]]
    with subprocess.Popen(
        waiting, executable=sys.executable, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert may_delete_fresh(tmp_path) is prunes
        process.communicate(b"\n")


def test_a_gc_that_is_not_an_ordinary_one_may_prune(tmp_path: Path) -> None:
    assert not may_delete_fresh(tmp_path)
    (tmp_path / "gc.pid").write_text(f"{os.getpid()} {os.uname().nodename}")
    assert may_delete_fresh(tmp_path)
