import os
import sys
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


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")
def test_nothing_is_put_in_the_place_of_a_device_or_a_pipe(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_at(repo.path).commit(adding(1))
    monkeypatch.chdir(repo.path)
    os.mkfifo("pipe")

    assert main(["backup", "--force", "pipe"]) == 2
    assert "pipe is no file" in capsys.readouterr().err
    assert Path("pipe").is_fifo()
