import os
import sys
import threading
from pathlib import Path

import pytest

from git_lerim.errors import BadMemory, UsageError
from git_lerim.extraction.from_files import walking


def test_files_come_by_name_and_no_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    for name in ("b.md", "a/c.md", ".git/x.md", "node_modules/y.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path)

    assert list(walking.walk(tmp_path)) == ["b.md", "loop", "a/c.md"]


def test_too_many_files_are_refused_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking, "ENTRIES", 3)
    for number in range(4):
        (tmp_path / f"{number}.md").write_text("x")

    with pytest.raises(UsageError, match="has more than 3 files"):
        list(walking.walk(tmp_path))


def test_a_link_inside_is_read_and_one_outside_is_not(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "a.md").write_text("one\r\ntwo")
    (tmp_path / "secret.md").write_text("x")
    (inside / "b.md").symlink_to(inside / "a.md")
    (inside / "c.md").symlink_to(tmp_path / "secret.md")

    assert walking.text_of(inside, "b.md") == "one\ntwo"
    assert walking.link_target(inside, "b.md") == "a.md"
    assert walking.link_target(inside, "c.md") is None
    with pytest.raises(BadMemory, match="is a symbolic link to a place outside the source"):
        walking.text_of(inside, "c.md")


def test_a_mark_of_the_byte_order_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfone\n")
    (tmp_path / "b.md").write_bytes(b"\xef\xbb\xbfone\ntwo \xff\n")

    assert walking.text_of(tmp_path, "a.md") == "one\n"
    with pytest.raises(BadMemory, match="line 2 is not UTF-8"):
        walking.text_of(tmp_path, "b.md")


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("12345")

    assert walking.text_of(tmp_path, "a.md", largest=5) == "12345"
    with pytest.raises(BadMemory, match="has more than 4 bytes"):
        walking.text_of(tmp_path, "a.md", largest=4)


@pytest.mark.skipif(sys.platform != "linux", reason="a file whose size is not known")
def test_a_file_is_read_whole_where_its_size_is_not_known() -> None:
    assert walking.text_of(Path("/proc/self"), "status").startswith("Name:")
    with pytest.raises(BadMemory, match="has more than 9 bytes"):
        walking.text_of(Path("/proc/self"), "status", largest=9)


def test_a_path_through_a_folder_that_is_a_link_is_read_inside_only(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "real", outside):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text("x")
    (inside / "near").symlink_to(inside / "real")
    (inside / "far").symlink_to(outside)

    assert walking.text_of(inside, "near/a.md") == "x"
    for path in ("far/a.md", "../out/a.md", "real/../../out/a.md"):
        with pytest.raises(BadMemory, match="is a symbolic link to a place outside the source"):
            walking.text_of(inside, path)
    with pytest.raises(BadMemory, match="cannot be read: No such file"):
        walking.text_of(inside, "real/b.md")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\0b", "is binary"),
        (b"a\n\xff", "line 2 is not UTF-8"),
        (b"x" * (1 << 21), "has more than"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a.md").write_bytes(data)

    with pytest.raises(BadMemory, match=reason):
        walking.text_of(tmp_path, "a.md")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")
def test_a_pipe_is_not_even_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    writer = threading.Thread(
        target=lambda: os.close(os.open(tmp_path / "pipe.md", os.O_WRONLY)), daemon=True
    )
    writer.start()  # it waits for somebody who reads

    with pytest.raises(BadMemory, match="not a regular file"):
        walking.text_of(tmp_path, "pipe.md")
    writer.join(0.2)

    assert writer.is_alive()
    reader = os.open(tmp_path / "pipe.md", os.O_RDONLY | os.O_NONBLOCK)
    writer.join(5)
    os.close(reader)
