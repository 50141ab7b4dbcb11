import sqlite3
from pathlib import Path

import pytest

from git_lerim.agents.sqlite import columns, opened
from git_lerim.errors import Unreadable


def filled(path: Path, *, journal: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("CREATE TABLE t (id TEXT, data BLOB)")
    connection.execute("INSERT INTO t VALUES ('a', 'one')")
    return connection


def rows(path: Path) -> list[str]:
    with opened(path) as connection:
        return [row["data"] for row in connection.execute("SELECT data FROM t ORDER BY id")]


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_database_nobody_has_open_is_read_and_nothing_is_left_beside_it(
    tmp_path: Path, journal: str
) -> None:
    filled(tmp_path / "x.db", journal=journal).close()

    assert rows(tmp_path / "x.db") == ["one"]
    assert [path.name for path in tmp_path.iterdir()] == ["x.db"]


def test_the_newest_rows_are_read_from_the_log_of_a_writer_that_runs(tmp_path: Path) -> None:
    writer = filled(tmp_path / "x.db", journal="WAL")
    writer.execute("INSERT INTO t VALUES ('b', 'two')")

    assert rows(tmp_path / "x.db") == ["one", "two"]
    writer.close()


def test_a_log_that_was_copied_without_its_index_is_read(tmp_path: Path) -> None:
    writer = filled(tmp_path / "x.db", journal="WAL")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("x.db", "x.db-wal"):
        (copy / name).write_bytes((tmp_path / name).read_bytes())
    writer.close()

    assert rows(copy / "x.db") == ["one"]
    assert sorted(path.name for path in copy.iterdir()) == ["x.db", "x.db-wal"]


def test_a_locked_database_is_read_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("git_lerim.agents.sqlite._BUSY_SECONDS", 0.1)
    writer = filled(tmp_path / "x.db", journal="DELETE")
    writer.execute("BEGIN EXCLUSIVE")

    assert rows(tmp_path / "x.db") == ["one"]
    writer.close()


def test_text_that_is_not_utf8_is_replaced(tmp_path: Path) -> None:
    connection = filled(tmp_path / "x.db", journal="DELETE")
    connection.execute("UPDATE t SET data = CAST(x'61ff62' AS TEXT)")
    connection.close()

    assert rows(tmp_path / "x.db") == ["a�b"]


@pytest.mark.parametrize(
    "content", [b"no database at all, but some text", b"SQLite format 3\x00" + b"\x01" * 500]
)
def test_what_is_no_database_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.db").write_bytes(content)

    with pytest.raises(Unreadable, match=r"x\.db"):
        rows(tmp_path / "x.db")


def test_a_missing_file_and_a_missing_table_are_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"gone\.db"):
        rows(tmp_path / "gone.db")
    sqlite3.connect(tmp_path / "x.db").execute("CREATE TABLE other (id)").connection.close()
    with pytest.raises(Unreadable, match="no such table"):
        rows(tmp_path / "x.db")


def test_columns_come_and_go(tmp_path: Path) -> None:
    filled(tmp_path / "x.db", journal="DELETE").close()

    with opened(tmp_path / "x.db") as connection:
        assert columns(connection, "t") == {"id", "data"}
        assert columns(connection, "u") == frozenset()


def test_a_view_in_place_of_a_table_is_not_read(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute(
        "CREATE VIEW t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
        " SELECT x AS id, x AS data FROM c"
    )
    connection.close()

    with pytest.raises(Unreadable, match=r"x\.db .*: (not authorized|access to)"):
        rows(tmp_path / "x.db")
