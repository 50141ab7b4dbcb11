import json
import sys
from pathlib import Path

import pytest

from git_lerim.errors import BranchBlocked, ReadOnly, StoreMoved
from git_lerim.storage.worktree.atomic_write import Target, finish, folder_of, place

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of another kind")


def target(folder: Path, head: str = "main") -> Target:
    top = folder / "top"
    top.mkdir(exist_ok=True)
    return Target(top, folder / "notes" / "note", head, lambda data: data.decode())


def names(to: Target) -> list[str]:
    return sorted(
        path.relative_to(to.top).as_posix() for path in to.top.rglob("*") if path.is_file()
    )


def test_files_come_change_and_go(tmp_path: Path) -> None:
    to = target(tmp_path)
    place(to, {"a/one": b"1", "a/two": b"2"}, {})

    place(to, {"a/one": b"one", "a/two": None, "b": b"3"}, {"a/one": "1", "a/two": "2"})

    assert names(to) == ["a/one", "b"]
    assert (to.top / "a/one").read_bytes() == b"one"
    place(to, {"a/one": None}, {"a/one": "one"})
    assert not (to.top / "a").exists()
    assert not to.note.exists()


@pytest.mark.parametrize("expected", [{}, {"x": "theirs once"}])
def test_a_content_that_is_not_expected_stays(tmp_path: Path, expected: dict[str, str]) -> None:
    to = target(tmp_path)
    (to.top / "x").write_text("mine")

    for data in (b"ours", None):
        with pytest.raises(StoreMoved):
            place(to, {"y": b"new", "x": data}, expected or {"x": "gone"})

    assert names(to) == ["x"]
    assert (to.top / "x").read_text() == "mine"


def test_a_file_that_is_gone_is_not_written_again_unseen(tmp_path: Path) -> None:
    to = target(tmp_path)

    with pytest.raises(StoreMoved):
        place(to, {"x": b"new"}, {"x": "old"})

    assert names(to) == []


@posix
def test_the_mode_that_the_user_gave_a_file_stays(tmp_path: Path) -> None:
    to = target(tmp_path)
    (to.top / "x").write_text("old")
    (to.top / "x").chmod(0o640)

    place(to, {"x": b"new"}, {"x": "old"})

    assert (to.top / "x").stat().st_mode & 0o777 == 0o640


@posix
def test_no_link_is_followed(tmp_path: Path) -> None:
    to = target(tmp_path)
    (tmp_path / "outside").mkdir()
    (to.top / "a").symlink_to(tmp_path / "outside")

    with pytest.raises(BranchBlocked, match="symbolic link"):
        place(to, {"a/x": b"x"}, {})

    assert list((tmp_path / "outside").iterdir()) == []
    assert folder_of(to.top, "b/c") == to.top / "b"


def test_a_folder_where_a_file_stands_is_told(tmp_path: Path) -> None:
    to = target(tmp_path)
    (to.top / "a").write_text("mine")

    with pytest.raises(ReadOnly, match="cannot be written"):
        place(to, {"a/x": b"x"}, {})

    assert names(to) == ["a"]


@pytest.mark.parametrize(
    "note",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"head": "main", "moves": 3}',
        '{"head": "main", "moves": [[1]]}',
        '{"head": "main", "moves": [[1, null, null]]}',
        '{"head": "main", "moves": [["x", ["y"], null]]}',
        '{"head": "main", "moves": [["x", ".tmp-left", {}]]}',
    ],
)
def test_a_note_that_cannot_be_read_is_taken_away(tmp_path: Path, note: str) -> None:
    to = target(tmp_path)
    to.note.parent.mkdir()
    to.note.write_text(note)
    (to.top / ".tmp-left").write_text("half")

    assert finish(to) == 0
    assert not to.note.exists()
    assert names(to) == []


def test_what_was_begun_is_finished_once(tmp_path: Path) -> None:
    to = target(tmp_path)
    (to.top / "old").write_text("old")
    (to.top / "mine").write_text("edited since")
    (to.top / ".tmp-1").write_text("new")
    (to.top / ".tmp-2").write_text("ours")
    to.note.parent.mkdir()
    moves = [
        ["new", ".tmp-1", None],
        ["mine", ".tmp-2", "before"],
        ["old", None, "old"],
        ["x", ".tmp-9", None],
    ]
    to.note.write_text(json.dumps({"head": "main", "moves": moves}))

    assert finish(target(tmp_path)) == 2
    assert finish(target(tmp_path)) == 0
    assert names(to) == ["mine", "new"]
    assert (to.top / "mine").read_text() == "edited since"


def test_a_path_in_a_note_that_leads_out_is_not_gone_to(tmp_path: Path) -> None:
    to = target(tmp_path)
    (tmp_path / "outside").write_text("mine")
    (to.top / ".tmp-1").write_text("x")
    to.note.parent.mkdir()
    to.note.write_text(
        '{"head": "main", "moves": [["../outside", null, "mine"], ["../new", ".tmp-1", null]]}'
    )

    finish(to)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes", "outside", "top"]
