from dataclasses import replace

import pytest
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.actions.doubted_commits import history_lines
from git_lerim.workspace import open_workspace

KEY = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"


def test_the_history_of_a_memory_shows_no_secret_of_a_message(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    store_at(repo.path).commit(lambda snapshot: replace(adding(1)(snapshot), subject=f"use {KEY}"))
    ws = open_workspace()

    (line,) = history_lines(ws, ws.store.snapshot().memories[decision(1).id])

    assert ": use " in line
    assert KEY not in line
