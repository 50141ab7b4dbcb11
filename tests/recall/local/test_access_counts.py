import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

from git_lerim import database
from git_lerim.recall.local import access_counts, access_log
from git_lerim.sessions import tables
from git_lerim.sessions.catalog import Catalog

A, B = "aaaaaaaaaaaaa", "bbbbbbbbbbbbb"
DAY = 86_400.0
NOON = 1_771_588_800.0  # 2026-02-20
TODAY = "2026-02-25"

READER = """
import sys
from git_lerim.recall.local.access_log import log_shown
for _ in range(int(sys.argv[2])):
    log_shown(sys.argv[1], ["aaaaaaaaaaaaa", "bbbbbbbbbbbbb"], 1771588800.0)
"""
COUNTER = """
import sys
from pathlib import Path
from git_lerim.recall.local import access_counts as usage
usage.LONG = 4096
folder = Path(sys.argv[1])
print("ready", flush=True)
while not (folder / "stop").exists():
    found = usage.uncounted(folder, "2026-02-25")
    if found:
        usage.count(folder, found)
"""


def counted(folder: Path) -> dict[str, tuple[int, str]]:
    with contextlib.closing(
        database.connect(folder / "catalog.sqlite3", tables.CATALOG)
    ) as catalog:
        return {row[0]: (row[1], row[2]) for row in catalog.execute("SELECT * FROM accesses")}


def used(folder: Path) -> dict[str, tuple[int, str]]:
    with contextlib.closing(Catalog(folder)) as catalog:
        return {
            id_: (use.count, use.last)
            for id_, use in access_counts.uses(catalog, folder, TODAY).items()
        }


def count(folder: Path) -> bool:
    found = access_counts.uncounted(folder, TODAY)
    return found is not None and access_counts.count(folder, found)


def test_where_nothing_was_shown_nothing_is_made(tmp_path: Path) -> None:
    assert access_counts.uncounted(tmp_path, TODAY) is None
    assert list(tmp_path.iterdir()) == []


def test_each_line_is_counted_once_with_its_last_day(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [A, B], NOON)
    access_log.log_shown(tmp_path, [A], NOON + DAY)
    assert count(tmp_path)
    assert not count(tmp_path)
    access_log.log_shown(tmp_path, [B], NOON + 2 * DAY)
    assert count(tmp_path)

    assert counted(tmp_path) == {A: (2, "2026-02-21"), B: (2, "2026-02-22")}


def test_what_is_not_counted_yet_is_known_all_the_same(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [A], NOON)
    count(tmp_path)
    access_log.log_shown(tmp_path, [A, B], NOON + DAY)

    assert used(tmp_path) == {A: (2, "2026-02-21"), B: (1, "2026-02-21")}
    assert counted(tmp_path) == {A: (1, "2026-02-20")}


def test_two_that_read_the_same_lines_count_them_once(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [A], NOON)
    first = access_counts.uncounted(tmp_path, TODAY)
    access_log.log_shown(tmp_path, [A], NOON)
    second = access_counts.uncounted(tmp_path, TODAY)
    assert first
    assert second

    assert access_counts.count(tmp_path, first)
    assert not access_counts.count(tmp_path, second)

    assert used(tmp_path) == {A: (2, "2026-02-20")}


def test_a_day_in_the_future_is_taken_for_today(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [A], NOON + 4000 * DAY)
    count(tmp_path)

    assert counted(tmp_path) == {A: (1, TODAY)}


def test_a_line_that_was_cut_off_or_that_somebody_else_wrote_is_no_line(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [A], NOON)
    with (tmp_path / "accesses").open("ab") as file:
        file.write(
            f"2026-02-20 {B}{A}\n2026-13-01 {A}\n\xff\n2026-02-20 ../../x\n\n2026-02-21 {A}".encode(
                "latin-1"
            )
        )
    assert count(tmp_path)
    assert counted(tmp_path) == {A: (1, "2026-02-20")}

    access_log.log_shown(tmp_path, [B], NOON)  # on the line that was cut off: lost with it
    access_log.log_shown(tmp_path, [B], NOON)
    assert count(tmp_path)

    assert counted(tmp_path) == {A: (1, "2026-02-20"), B: (1, "2026-02-20")}


def test_a_catalog_that_is_held_is_not_waited_for(tmp_path: Path) -> None:
    access_log.log_shown(tmp_path, [A], NOON)
    found = access_counts.uncounted(tmp_path, TODAY)
    assert found
    with contextlib.closing(Catalog(tmp_path)) as holder, holder.writing():
        assert not access_counts.count(tmp_path, found)

    assert access_counts.count(tmp_path, found)
    assert counted(tmp_path) == {A: (1, "2026-02-20")}


def test_a_deleted_catalog_or_file_costs_what_was_counted_and_no_more(tmp_path: Path) -> None:
    for _ in range(3):
        access_log.log_shown(tmp_path, [A], NOON)
    count(tmp_path)
    (tmp_path / "accesses").unlink()
    access_log.log_shown(tmp_path, [B], NOON)
    count(tmp_path)

    assert counted(tmp_path) == {A: (3, "2026-02-20"), B: (1, "2026-02-20")}


def test_a_long_file_is_begun_anew_and_what_comes_late_to_the_old_one_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_counts, "LONG", 100)
    for _ in range(10):
        access_log.log_shown(tmp_path, [A], NOON)
    with (tmp_path / "accesses").open("ab") as late:
        assert count(tmp_path)
        late.write(f"2026-02-22 {A}\n".encode())
    access_log.log_shown(tmp_path, [B], NOON)

    assert (tmp_path / "accesses").stat().st_size < 100
    assert used(tmp_path) == {A: (11, "2026-02-22"), B: (1, "2026-02-20")}
    assert count(tmp_path)
    assert counted(tmp_path) == {A: (11, "2026-02-22"), B: (1, "2026-02-20")}


def test_many_readers_beside_many_counters_lose_nothing_and_count_nothing_twice(
    tmp_path: Path,
) -> None:
    counters = [
        subprocess.Popen([sys.executable, "-c", COUNTER, str(tmp_path)], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for counter in counters:
        assert counter.stdout
        counter.stdout.readline()
    readers = [
        subprocess.Popen([sys.executable, "-c", READER, str(tmp_path), "300"]) for _ in range(6)
    ]
    assert [reader.wait(60) for reader in readers] == [0] * 6
    (tmp_path / "stop").touch()
    for counter in counters:
        counter.communicate(timeout=60)
        assert counter.returncode == 0

    assert used(tmp_path) == {A: (1800, "2026-02-20"), B: (1800, "2026-02-20")}
    count(tmp_path)
    assert counted(tmp_path) == used(tmp_path)
