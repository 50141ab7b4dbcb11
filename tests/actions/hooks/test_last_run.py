import os
import time

import pytest
from support.repos import Repo

from git_lerim.actions.hooks import last_run
from git_lerim.workspace import open_workspace


def test_the_last_run_is_what_was_recorded_last(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    ws = open_workspace()
    assert last_run.last(ws) is None
    ws.folder.mkdir(exist_ok=True)
    began = last_run.Ran(event="post-commit", at=time.time(), pid=os.getpid())
    done = last_run.Ran(event="post-commit", at=began.at, pid=began.pid, seconds=1.5, did="all")

    last_run.save(ws, began)
    last_run.save(ws, done)

    assert last_run.last(ws) == done
