from pathlib import Path

import pytest

from git_lerim import bulk, worker_process
from git_lerim.extraction.from_files.base import Form
from git_lerim.extraction.from_files.gather import Gathered, gather


def gathered(folder: Path) -> Gathered:
    return gather(folder, Form.NOTES, lambda path: f"notes/{path}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    for name in ("a.md", "c.md", "sub/b.md", "z.md"):
        (tmp_path / name).write_text(f"# About {name}\n\nIt is in use.\n")
    (tmp_path / "d.md").write_bytes(b"\xff")
    (tmp_path / "b.md").write_text("---\ntitle: &a b\n---\nx\n")
    (tmp_path / "sub" / "e.md").write_text("")
    return tmp_path


def test_notes_are_read_by_path_after_what_cannot_be_read(folder: Path) -> None:
    made = gathered(folder)

    assert [one.file for one in made.reading.found] == [
        "notes/a.md", "notes/c.md", "notes/sub/b.md", "notes/z.md",
    ]  # fmt: skip
    assert [(one.place, one.failed) for one in made.reading.left] == [
        ("notes/d.md", True), ("notes/b.md", True), ("notes/sub/e.md", False),
    ]  # fmt: skip
    assert list(made.read.items())[-1] == ("notes/z.md", Path("z.md"))
    assert made.forms == {Form.NOTES: 6}


def test_notes_read_in_two_processes_are_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = gathered(folder)
    monkeypatch.setattr(worker_process, "worth_while", lambda: True)
    monkeypatch.setattr(bulk, "WORTH_IT", 2)

    assert gathered(folder) == alone


def test_a_folder_without_notes_has_no_form(tmp_path: Path) -> None:
    assert gathered(tmp_path).forms == {}
