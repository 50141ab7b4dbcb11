import subprocess
import sys

import pytest
from support.repos import Repo
from support.stores import decision, put

from git_lerim.cli import main

KEY = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"


@pytest.mark.parametrize("options", [["--dry-run"], ["--dry-run", "--json"], []])
def test_a_secret_in_a_title_is_redacted(
    options: list[str],
    repo: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(repo.path)
    put(repo, decision(1, f"Use {KEY}"))
    assert main(["feedback", decision(1).id, "wrong"]) == 0
    capsys.readouterr()

    assert main(["maintain", "--force", *options]) == 0

    out = capsys.readouterr().out
    assert decision(1).id in out
    assert KEY not in out


def test_where_nothing_is_due_neither_store_nor_search_is_loaded(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    put(repo, decision(1, "Use SQLite for the catalog"))
    assert main(["maintain"]) == 0
    code = "import sys; from git_lerim.cli import main; main(['maintain']); print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = done.stdout.split()
    assert "git_lerim.commands.maintain" in loaded
    assert "nothing to do" in done.stderr
    heavy = ("git_lerim.storage.open_store", "git_lerim.recall.search", "pygit2")
    assert [name for name in heavy if name in loaded] == []
