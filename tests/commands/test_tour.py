from pathlib import Path

import pytest

from git_lerim.cli import main


def test_it_is_kept_in_a_new_folder_or_an_empty_one_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").touch()

    for name in ("file", "folder"):
        assert main(["tour", "--keep", str(tmp_path / name)]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith(
            f"git lerim: {tmp_path / name} exists already and is not an empty folder\nhint: "
        )
    assert (tmp_path / "file").read_text() == "mine"
