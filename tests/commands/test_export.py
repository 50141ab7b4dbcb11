import json
from pathlib import Path

import pytest
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.cli import main


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a repository with two memories, in which we stand."""
    store_at(repo.path).commit(adding(1, 2))
    monkeypatch.chdir(repo.path)
    return repo.path


def test_what_goes_to_standard_output_is_the_json_file(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "-"]) == 0
    told = capsys.readouterr()
    assert main(["export", str(here.parent / "out.json")]) == 0

    assert json.loads(told.out) == json.loads((here.parent / "out.json").read_text("utf-8"))
    assert {row["id"] for row in json.loads(told.out)} == {decision(1).id, decision(2).id}
    assert told.err == ""
    assert not (here / "-").exists()


def test_a_folder_can_have_that_name_all_the_same(here: Path) -> None:
    assert main(["export", "./-"]) == 0

    assert (here / "-" / "decisions").is_dir()
