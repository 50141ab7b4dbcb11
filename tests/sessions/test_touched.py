import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from git_lerim.sessions import touched
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Held, Origin
from git_lerim.sessions.session import Record, Role
from git_lerim.sessions.touched import Made, Write

ORIGIN = Origin("claude", "s1", "", "/home/ada/s1.jsonl")
MINUTE = 60_000
SHA = "3f2a9c1d2e0b4a5f6c7d8e9f0a1b2c3d4e5f6a7b"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(Catalog(tmp_path)) as opened:
        yield opened


def call(path: str, at: int | None, *, id_: str = "c1") -> Record:
    return Record(n=1, role=Role.CALL, call=id_, files=(path,), at=at)


def result(path: str, at: int, *, id_: str = "c1", failed: bool = False) -> Record:
    return Record(
        n=2, role=Role.RESULT, call=id_, files=() if failed else (path,), at=at, failed=failed
    )


def held(*records: Record) -> Held:
    return Held(stored=len(records), prompts=0, started=1, ended=2, kept=records)


def paths(catalog: Catalog, *asked: str, until: int = 1 << 50) -> list[tuple[str, int | None]]:
    return [(write.path, write.at) for write in touched.writes(catalog.execute, asked, until)]


def test_no_agent_wrote_a_file_whose_name_is_no_utf_8(catalog: Catalog) -> None:
    catalog.hold(ORIGIN, held(call("/shop/src/other.py", 5)))

    assert paths(catalog, "src/f\udce9.py") == []
    assert paths(catalog, "src/f\udce9.py", "src/other.py") == [("/shop/src/other.py", 5)]


def test_a_written_file_is_found_by_its_last_name_in_any_spelling(catalog: Catalog) -> None:
    catalog.hold(
        ORIGIN, held(call("C:\\shop\\src\\Übung.py", 5), call("/shop/src/other.py", 6, id_="c2"))
    )

    assert touched.writes(catalog.execute, ["src/übung.py"], 9) == [
        Write("claude", "s1", "C:\\shop\\src\\Übung.py", 5)
    ]


def test_of_a_call_and_its_result_the_result_counts(catalog: Catalog) -> None:
    catalog.hold(
        ORIGIN,
        held(
            call("a.py", 5),
            result("a.py", 7),
            call("b.py", 8, id_="c2"),
            result("b.py", 9, id_="c2", failed=True),
        ),
    )

    assert paths(catalog, "a.py", "b.py") == [("a.py", 7)]


def test_a_refused_or_rewound_write_does_not_count(catalog: Catalog) -> None:
    refused = Record(n=3, role=Role.REJECTION, call="c1")
    rewound = Record(n=4, role=Role.CALL, call="c3", files=("b.py",), at=5, abandoned=True)
    catalog.hold(ORIGIN, held(call("a.py", 5), refused, rewound))

    assert paths(catalog, "a.py", "b.py") == []


def test_a_file_written_many_times_in_a_minute_is_noted_once(catalog: Catalog) -> None:
    catalog.hold(ORIGIN, held(*(call("a.py", at, id_=str(at)) for at in (1, 2, 3, MINUTE + 1))))

    assert paths(catalog, "a.py") == [("a.py", 1), ("a.py", MINUTE + 1)]
    assert paths(catalog, "a.py", until=MINUTE) == [("a.py", 1)]


def test_a_write_without_a_time_is_found_at_any_time(catalog: Catalog) -> None:
    catalog.hold(ORIGIN, held(call("a.py", None)))

    assert paths(catalog, "a.py", until=0) == [("a.py", None)]


def test_a_commit_is_found_by_its_id_and_by_its_moment(catalog: Catalog) -> None:
    catalog.hold(
        ORIGIN, held(Record(n=1, role=Role.RESULT, at=100, commits=("3f2a9c1", "bbbbbbb")))
    )

    assert touched.makers(catalog.execute, SHA, 0, 0) == [Made("claude", "s1", "3f2a9c1", 100)]
    assert [made.id for made in touched.makers(catalog.execute, "c" * 40, 90, 110)] == [
        "3f2a9c1",
        "bbbbbbb",
    ]
    assert touched.makers(catalog.execute, "c" * 40, 101, 110) == []


def test_what_is_read_anew_replaces_what_was_noted(catalog: Catalog) -> None:
    catalog.hold(ORIGIN, held(call("a.py", 1)))
    catalog.hold(Origin("claude", "s2", "", "/other"), held(call("a.py", 2)))
    catalog.forget(ORIGIN)

    assert paths(catalog, "a.py") == [("a.py", 2)]


def test_a_catalog_from_before_notes_what_the_cached_transcripts_tell(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as before:
        before.hold(
            ORIGIN, held(call("a.py", 1), Record(n=2, role=Role.RESULT, at=3, commits=("3f2a9c1",)))
        )
    with sqlite3.connect(tmp_path / "catalog.sqlite3") as db:  # as the version before left it
        for table in touched.TABLES:
            db.execute(f"DROP TABLE {table}")
        db.execute("DROP TABLE history")
        db.execute("DROP INDEX sessions_by_end")
        db.execute("ALTER TABLE sessions DROP COLUMN rules")
        db.execute("DELETE FROM meta WHERE key = 'touched'")
        db.execute("PRAGMA user_version = 2")
    db.close()
    with closing(Catalog(tmp_path)) as catalog:
        assert paths(catalog, "a.py") == [("a.py", 1)]
        assert touched.makers(catalog.execute, SHA, 0, 0) == [Made("claude", "s1", "3f2a9c1", 3)]
