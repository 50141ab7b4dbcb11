import os
from pathlib import Path
from typing import Any

import pytest

from git_lerim.agents.stored import milliseconds, sources, stamped, unchanged, whole


def test_files_are_found_by_pattern_once_in_a_steady_order(tmp_path: Path) -> None:
    for name in ("a/x.jsonl", "b/x.jsonl", "x.jsonl", "a/deep/x.jsonl", "a/y.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    found = sources("agent", tmp_path, ("*/*.jsonl", "*.jsonl", "a/*.jsonl", "gone/*.jsonl"))

    assert [source.path.relative_to(tmp_path).as_posix() for source in found] == [
        "a/x.jsonl",
        "b/x.jsonl",
        "x.jsonl",
    ]


def test_links_that_loop_and_links_that_lead_nowhere_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.jsonl").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a", target_is_directory=True)
    (tmp_path / "a" / "c").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a" / "gone.jsonl").symlink_to(tmp_path / "nowhere")

    assert len(list(sources("agent", tmp_path, ("*/*.jsonl", "*/*/*/*.jsonl")))) == 1


def test_a_root_can_be_one_file_or_missing(tmp_path: Path) -> None:
    (tmp_path / "x.db").touch()

    assert [source.path for source in sources("agent", tmp_path / "x.db", ("*.jsonl",))] == [
        tmp_path / "x.db"
    ]
    assert list(sources("agent", tmp_path / "gone", ("*.jsonl",))) == []


def test_the_stamp_changes_with_the_file_and_with_what_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_text("a")
    first = stamped("agent", path, "-wal")
    (tmp_path / "x.db-wal").write_text("")
    assert stamped("agent", path, "-wal") == first
    (tmp_path / "x.db-wal").write_text("bb")
    os.utime(tmp_path / "x.db-wal", ns=(0, 4_000_000_000_000_000_000))
    second = stamped("agent", path, "-wal")

    assert first
    assert second
    assert second.stamp != first.stamp
    assert (second.size, second.modified) == (3, 4_000_000_000_000)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert stamped("agent", tmp_path) is None
    assert stamped("agent", tmp_path, folder=True) is not None


def test_a_source_read_whole_is_known_again_by_its_stamp(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("a")
    before = stamped("agent", tmp_path / "x.json")
    assert before
    (tmp_path / "x.json").write_text("ab")
    after = stamped("agent", tmp_path / "x.json")

    assert after
    assert unchanged(before, whole(before))
    assert not unchanged(after, whole(before))
    assert not unchanged(after, None)


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-01-02T03:04:05.678Z", 1767323045678),
        ("2026-01-02T04:04:05.678+01:00", 1767323045678),
        ("2026-01-02T03:04:05.678", 1767323045678),
        ("2026-01-02 03:04:05", 1767323045000),
        (1767323045, 1767323045000),
        (1767323045.678, 1767323045678),
        (1767323045678, 1767323045678),
        (1767323045678000, 1767323045678),
        ("1767323045678", 1767323045678),
        ("soon", None),
        ("", None),
        (-5, None),
        (0, None),
        (True, None),
        (None, None),
        (float("inf"), None),
        ([], None),
    ],
)
def test_times_are_read_in_all_their_forms(value: Any, time: int | None) -> None:
    assert milliseconds(value) == time
