import os
import stat
import subprocess
import sys
import timeit
from pathlib import Path

import pytest

from git_lerim.recall.local import access_log

IDS = ("aaaaaaaaaaaaa", "bbbbbbbbbbbbb")
NOON = 1_771_588_800.0  # 2026-02-20


def test_what_was_shown_together_is_one_line_with_its_day(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, IDS, NOON)
    access_log.log_shown(str(tmp_path), iter(IDS[:1]), NOON + 86_400)

    assert (
        tmp_path / "accesses"
    ).read_text() == f"2026-02-20 {' '.join(IDS)}\n2026-02-21 {IDS[0]}\n"


def test_nothing_shown_leaves_nothing(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [])

    assert list(tmp_path.iterdir()) == []


def test_only_the_user_can_read_it_and_a_folder_that_is_not_there_is_made_so(
    tmp_path: Path,
) -> None:
    folder = tmp_path / ".git" / "lerim"

    access_log.log_shown(folder, IDS)

    assert stat.S_IMODE((folder / "accesses").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "trouble", ["a file in place of the folder", "a folder in place of the file", "a link"]
)
def test_what_cannot_be_written_is_left_alone_without_a_word(tmp_path: Path, trouble: str) -> None:
    folder, other = tmp_path / "lerim", tmp_path / "other"
    other.write_text("mine\n")
    if trouble == "a file in place of the folder":
        folder.write_text("")
    else:
        folder.mkdir()
        (
            (folder / "accesses").mkdir()
            if trouble == "a folder in place of the file"
            else (folder / "accesses").symlink_to(other)
        )

    access_log.log_shown(folder, IDS)

    assert other.read_text() == "mine\n"


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions hold"
)
def test_a_folder_without_permission_is_left_alone_without_a_word(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    access_log.log_shown(tmp_path, IDS)

    tmp_path.chmod(0o700)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_nobody_counts_stops_growing(tmp_path: Path) -> None:
    with (tmp_path / "accesses").open("wb") as file:
        file.truncate(access_log.LIMIT)

    access_log.log_shown(tmp_path, IDS)

    assert (tmp_path / "accesses").stat().st_size == access_log.LIMIT


def test_it_loads_nothing_and_takes_no_time(tmp_path: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); import git_lerim.recall.local.access_log;"
        " print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert set(loaded) <= {
        "git_lerim",
        "git_lerim.recall",
        "git_lerim.recall.local",
        "git_lerim.recall.local.access_log",
    }
    assert (
        min(timeit.repeat(lambda: access_log.log_shown(tmp_path, IDS), number=20, repeat=5)) / 20
        < 0.0002
    )
