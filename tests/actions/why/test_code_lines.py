import os
from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.actions.why.code_lines import _in_worktree
from git_lerim.actions.why.why import why
from git_lerim.workspace import open_workspace


def test_a_link_to_a_device_is_read_as_git_reads_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.path / "zero.py").symlink_to("/dev/zero")
    repo.git("add", "zero.py")
    repo.git("commit", "-q", "-m", "Link")
    monkeypatch.chdir(repo.path)

    assert why(open_workspace(), "zero.py:1")
    assert _in_worktree(repo.path / "zero.py") == [b"/dev/zero"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_nothing_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert _in_worktree(tmp_path / "pipe") is None
