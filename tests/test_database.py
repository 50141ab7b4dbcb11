import contextlib
import sqlite3
import stat
import threading
import time
from pathlib import Path

import pytest

from git_lerim import database
from git_lerim.errors import Busy, NewerFormat, ReadOnly, Unreadable
from git_lerim.private_files import READER_WAITS

ONE = ("CREATE TABLE things (name TEXT PRIMARY KEY)",)
TWO = (*ONE, "ALTER TABLE things ADD COLUMN size INTEGER; CREATE INDEX by_size ON things (size)")


def test_a_new_database_is_for_its_owner_alone_and_so_is_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "lerim" / "a.sqlite3"
    database.connect(path, ONE).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_no_wal_is_used(tmp_path: Path) -> None:
    connection = database.connect(tmp_path / "a.sqlite3", ONE)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "truncate"
    connection.close()


def test_an_older_database_keeps_its_rows_when_tables_change(tmp_path: Path) -> None:
    old = database.connect(tmp_path / "a.sqlite3", ONE)
    old.execute("INSERT INTO things VALUES ('x')")
    old.close()
    new = database.connect(tmp_path / "a.sqlite3", TWO)
    assert [tuple(row) for row in new.execute("SELECT name, size FROM things").fetchall()] == [
        ("x", None)
    ]
    new.close()


def test_a_migration_that_fails_leaves_nothing_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    database.connect(path, ONE).close()
    broken = (*ONE, "CREATE TABLE more (x); CREATE TABLE things (again)")
    with pytest.raises(Unreadable):
        database._open(path, broken)
    connection = database.connect(path, ONE)
    assert (
        connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'more'").fetchone()[0]
        == 0
    )
    connection.close()


def test_a_database_of_a_newer_program_is_neither_used_nor_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    database.connect(path, TWO).close()
    with pytest.raises(NewerFormat, match="newer git-lerim"):
        database.connect(path, ONE)
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".broken"] == []


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but text" * 40, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.sqlite3"
    path.write_bytes(content)
    connection = database.connect(path, ONE)
    assert connection.execute("SELECT count(*) FROM things").fetchone()[0] == 0
    connection.close()
    assert (tmp_path / "a.sqlite3.broken").read_bytes() == content


def test_a_database_whose_very_tables_are_broken_bytes_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    database.connect(path, ONE).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"\xff\xfeEATE TABLE"))

    connection = database.connect(path, ONE)

    assert connection.execute("SELECT count(*) FROM things").fetchone()[0] == 0
    assert (tmp_path / "a.sqlite3.broken").exists()
    connection.close()


def test_a_folder_in_the_place_of_the_database_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite3").mkdir()
    (tmp_path / "a.sqlite3" / "note.txt").write_text("kept")

    database.connect(tmp_path / "a.sqlite3", ONE).close()

    assert (tmp_path / "a.sqlite3.broken" / "note.txt").read_text() == "kept"


def test_damage_in_the_rows_is_found_by_a_check_of_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    database.connect(path, ONE).close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))

    database.connect(path, ONE, checked=True).close()

    assert (tmp_path / "a.sqlite3.broken").exists()


def test_a_place_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ReadOnly, match=r"file/a\.sqlite3"):
        database.connect(tmp_path / "file" / "a.sqlite3", ONE)


def test_damage_found_while_reading_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    connection = database.connect(path, ONE)
    with database.transaction(connection):
        connection.executemany(
            "INSERT INTO things VALUES (?)", [(str(n) * 50,) for n in range(500)]
        )
    connection.close()
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xff" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    connection = database.connect(path, ONE)
    with pytest.raises(Unreadable, match=r"a\.sqlite3") as caught:
        connection.execute("SELECT * FROM things NOT INDEXED").fetchall()
    assert "reset" in caught.value.hint
    connection.close()


def test_a_full_disk_is_an_error_and_takes_the_transaction_back(tmp_path: Path) -> None:
    connection = database.connect(tmp_path / "a.sqlite3", ONE)
    connection.execute("PRAGMA max_page_count = 5")

    def fill() -> None:
        with database.transaction(connection):
            for n in range(1000):
                connection.execute("INSERT INTO things VALUES (?)", (f"{n}" * 100,))

    with pytest.raises(ReadOnly, match="full"):
        fill()
    assert not connection.in_transaction
    assert connection.execute("SELECT count(*) FROM things").fetchone()[0] == 0
    connection.close()


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    connection = database.connect(tmp_path / "a.sqlite3", ONE)

    def stopped() -> None:
        with database.transaction(connection):
            connection.execute("INSERT INTO things VALUES ('x')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert connection.execute("SELECT * FROM things").fetchall() == []
    connection.close()


def test_a_writer_waits_for_the_other_one_and_then_gives_up_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    one, two = database.connect(path, ONE), database.connect(path, ONE)
    two.execute("PRAGMA busy_timeout = 50")
    one.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy, match="another process"):
        two.execute("BEGIN IMMEDIATE")
    one.close()
    with database.transaction(two):
        two.execute("INSERT INTO things VALUES ('x')")
    two.close()


def test_a_reader_waits_for_a_lock_a_moment_and_only_once(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with contextlib.closing(database.connect(path, ONE)) as other:
        other.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        for _ in range(20):
            with pytest.raises(Busy):
                database.connect_reader(path, ONE)
        assert time.monotonic() - begun < 20 * READER_WAITS
        other.execute("ROLLBACK")
        database.connect_reader(path, ONE).close()


def test_many_that_open_at_once_make_the_tables_once(tmp_path: Path) -> None:
    problems: list[BaseException] = []

    def work(name: str) -> None:
        try:
            connection = database.connect(tmp_path / "a.sqlite3", TWO)
            with database.transaction(connection):
                connection.execute("INSERT INTO things (name) VALUES (?)", (name,))
            connection.close()
        except BaseException as error:  # noqa: BLE001 whatever it was, the test shows it
            problems.append(error)

    threads = [threading.Thread(target=work, args=(str(n),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with sqlite3.connect(tmp_path / "a.sqlite3") as plain:
        assert plain.execute("SELECT count(*) FROM things").fetchone()[0] == 8
    plain.close()


def test_a_copy_is_whole_while_another_process_writes(tmp_path: Path) -> None:
    source = database.connect(tmp_path / "a.sqlite3", ("CREATE TABLE t (n INTEGER)",))
    with database.transaction(source):
        source.execute("INSERT INTO t VALUES (1)")
    source.execute("BEGIN IMMEDIATE")
    source.execute("INSERT INTO t VALUES (2)")

    database.copy(tmp_path / "a.sqlite3", tmp_path / "below" / "b.sqlite3")

    with contextlib.closing(sqlite3.connect(tmp_path / "below" / "b.sqlite3")) as copied:
        assert copied.execute("SELECT n FROM t").fetchall() == [(1,)]
    source.execute("ROLLBACK")
    source.close()


def test_a_page_that_is_broken_is_told_while_rows_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with (
        contextlib.closing(database.connect(path, ONE)) as connection,
        database.transaction(connection),
    ):
        for number in range(2000):
            connection.execute("INSERT INTO things VALUES (?)", (f"{number:0100}",))
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    path.write_bytes(data)

    with contextlib.closing(database.connect(path, ONE)) as connection, pytest.raises(Unreadable):
        list(connection.execute("SELECT name FROM things NOT INDEXED"))


def leave_hot_journal(path: Path, name: bytes) -> None:
    """Leave the rollback journal of an unfinished write to a database and to others.

    The layout is that of https://www.sqlite.org/fileformat2.html#the_rollback_journal, followed by
    the record with the super-journal's name.
    """
    magic = bytes.fromhex("d9d505f920a163d7")
    header = path.read_bytes()[:100]
    page = int.from_bytes(header[16:18])
    fields = (0, 0, path.stat().st_size // page, 512, page)
    numbers = b"".join(each.to_bytes(4) for each in fields)
    pending = (0x40000000 // page + 1).to_bytes(4)
    checksum = (sum(name) & 0xFFFFFFFF).to_bytes(4)
    record = pending + name + len(name).to_bytes(4) + checksum + magic
    path.with_name(path.name + "-journal").write_bytes((magic + numbers).ljust(512, b"\0") + record)


@pytest.mark.parametrize("ending", [b"", b"\0-mj0A2EB39ED"])
def test_a_journal_deletes_no_file_that_is_not_sqlites(tmp_path: Path, ending: bytes) -> None:
    path, precious = tmp_path / "a.sqlite3", tmp_path / "precious"
    database.connect(path, ONE).close()
    precious.write_text("my only copy")
    leave_hot_journal(path, bytes(precious) + ending)

    with contextlib.closing(database.connect(path, ONE)) as connection:
        connection.execute("INSERT INTO things VALUES ('x')")

    assert precious.read_text() == "my only copy"


def test_a_crash_while_two_databases_were_written_loses_neither(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with contextlib.closing(database.connect(path, ONE)) as connection:
        connection.execute("INSERT INTO things VALUES ('x')")
    leave_hot_journal(path, bytes(path) + b"-mj0A2EB39ED")

    with contextlib.closing(database.connect(path, ONE)) as connection:
        assert [tuple(row) for row in connection.execute("SELECT * FROM things")] == [("x",)]

    assert [each.name for each in tmp_path.glob("*.broken")] == []


@pytest.mark.parametrize(
    "part",
    [
        "CREATE TABLE things (name TEXT PRIMARY KEY, more AS (name || name))",
        "CREATE TABLE things (name TEXT PRIMARY KEY CHECK (length(hex(name)) > 1))",
        "CREATE TABLE things (name TEXT PRIMARY KEY, more DEFAULT (hex(randomblob(9))))",
        "CREATE TABLE things (name TEXT); CREATE INDEX more ON things (hex(name))",
        "CREATE TABLE things (name TEXT); CREATE INDEX more ON things (name) WHERE hex(name) > 'x'",
    ],
)
def test_a_database_with_what_takes_time_to_compute_is_set_aside(tmp_path: Path, part: str) -> None:
    path = tmp_path / "a.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.executescript(part)

    database.connect(path, ONE).close()

    assert (tmp_path / "a.sqlite3.broken").exists()
