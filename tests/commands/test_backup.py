from pathlib import Path

import pytest
from support.repos import Repo
from support.stores import adding, store_at

from git_lerim.cli import main


@pytest.mark.parametrize("words", [["-"], ["restore", "-"], ["--force", "-"]])
def test_a_backup_is_no_stream(
    words: list[str], repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(repo.path).commit(adding(1))
    monkeypatch.chdir(repo.path)

    assert main(["backup", *words]) == 2
    assert "neither standard input nor output" in capsys.readouterr().err
    assert not Path("-").exists()
