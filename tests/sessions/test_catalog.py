import multiprocessing
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from git_lerim.errors import ReadOnly
from git_lerim.sessions import queue
from git_lerim.sessions.catalog import Catalog
from git_lerim.sessions.entry import Entry, Held, Origin, State
from git_lerim.sessions.session import Header, Record, Role

ELSEWHERE = (State.ELSEWHERE, "it belongs to another repository")


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(Catalog(tmp_path / "lerim")) as opened:
        yield opened


def said(n: int, text: str = "", **fields: object) -> Record:
    return Record(n=n, role=Role.PROMPT, text=text or f"words {n}", at=n * 1000, **fields)  # type: ignore[arg-type]


def origin(source: str = "/a.jsonl", session: str = "s1", part: str = "") -> Origin:
    return Origin("claude", session, part, source)


def held(*records: Record, others: int = 0) -> Held:
    times = [r.at for r in records if r.at is not None]
    return Held(
        stored=len(records) + others,
        prompts=len(records),
        started=min(times, default=None),
        ended=max(times, default=None),
        kept=records,
        others=others,
    )


def take(
    catalog: Catalog, what: Held, where: Origin | None = None, *, places: tuple[str, ...] = ("/w",)
) -> Entry:
    """Read something new of a session, as discovery does."""
    at = where or origin()
    with catalog.writing():
        catalog.hold(at, what)
        catalog.settle(at.agent, at.session, Header(), places, ELSEWHERE)
        catalog.save_source(at.source, at.agent, "stamp", b"{}")
    found = catalog.entry(at.agent, at.session)
    assert found
    return found


def texts(catalog: Catalog, entry: Entry) -> list[str]:
    return [record.text for record in catalog.session(entry).records]


def test_what_was_read_waits_with_its_sums_and_comes_back_as_it_was(catalog: Catalog) -> None:
    entry = take(catalog, held(said(1), said(2)))
    assert (entry.state, entry.kept, entry.prompts, entry.started, entry.ended) == (
        State.WAITING,
        2,
        2,
        1000,
        2000,
    )
    assert catalog.session(entry).records == (said(1), said(2))
    assert entry.name == catalog.session(entry).name == "claude/s1"


def test_a_session_that_grows_is_added_to(catalog: Catalog) -> None:
    first = take(catalog, held(said(1)))
    queue.done(catalog, first, State.EXTRACTED, rules=1)
    second = take(catalog, held(said(2)))
    assert (second.state, second.kept, second.started, second.ended) == (
        State.WAITING,
        2,
        1000,
        2000,
    )
    assert second.generation == first.generation + 1
    assert texts(catalog, second) == ["words 1", "words 2"]


def test_a_session_read_from_the_start_replaces_what_was_read_of_that_source_alone(
    catalog: Catalog,
) -> None:
    take(catalog, held(said(1, "old")))
    take(catalog, held(said(1, "of a helper", part="h")), origin("/h.jsonl", part="h"))
    with catalog.writing():
        catalog.forget(origin())
    entry = take(catalog, held(said(1, "new")))
    assert texts(catalog, entry) == ["new", "of a helper"]
    assert entry.kept == 2


def test_a_record_that_two_sources_hold_is_there_once(catalog: Catalog) -> None:
    take(catalog, held(said(1, uuid="u1"), said(2, uuid="u2")))
    entry = take(
        catalog, held(said(8, "words 1", uuid="u1"), said(9, uuid="u9")), origin("/copy.jsonl")
    )
    assert texts(catalog, entry) == ["words 1", "words 2", "words 9"]


def test_the_parts_of_one_stored_record_are_all_kept(catalog: Catalog) -> None:
    entry = take(catalog, held(said(1, "a", uuid="u"), said(1, "b", uuid="u")))
    assert texts(catalog, entry) == ["a", "b"]


def test_a_session_none_of_which_belongs_here_says_why(catalog: Catalog) -> None:
    entry = take(catalog, held(others=3))
    assert (entry.state, entry.reason, entry.kept, entry.stored) == (*ELSEWHERE, 0, 3)
    assert queue.due(catalog, queue.Window()) == []


def test_the_folder_it_ran_in_last_stands_last_however_many_there_were(catalog: Catalog) -> None:
    take(catalog, held(said(1)), places=("/a", "/b"))
    assert take(catalog, held(said(2)), places=("/a",)).places == ("/b", "/a")
    many = take(catalog, held(said(3)), places=tuple(f"/{n}" for n in range(60))).places
    assert len(many) == 50
    assert many[-1] == "/59"


def test_newest_sessions_come_first(catalog: Catalog) -> None:
    for n, name in ((5, "old"), (9, "new"), (7, "middle")):
        take(catalog, held(said(n)), origin(f"/{name}", name))
    assert [entry.id for entry in catalog.entries()] == ["new", "middle", "old"]
    assert catalog.counts() == {"waiting": 3}


# -- all or nothing


def test_a_block_that_fails_leaves_the_blocks_before_it(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as catalog:
        take(catalog, held(said(1)))

        def fail() -> None:
            with catalog.writing():
                catalog.hold(origin("/b", "s2"), held(said(2)))
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fail()
    with closing(Catalog(tmp_path)) as catalog:
        assert [entry.id for entry in catalog.entries()] == ["s1"]
        assert list(catalog.stamps()) == ["/a.jsonl"]


def test_a_full_disk_is_an_error_that_leaves_the_catalog_whole(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as catalog:
        take(catalog, held(said(1)))
        catalog.flush()
        catalog.execute("PRAGMA cache.max_page_count = 8")
        with pytest.raises(ReadOnly, match="full"):
            take(catalog, held(said(2, "x" * 200_000)), origin("/b", "s2"))
    with closing(Catalog(tmp_path)) as catalog:
        assert [(entry.id, texts(catalog, entry)) for entry in catalog.entries()] == [
            ("s1", ["words 1"])
        ]
        assert list(catalog.stamps()) == ["/a.jsonl"]


def test_blocks_share_a_commit_and_closing_writes_them(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as one, closing(Catalog(tmp_path)) as two:
        take(one, held(said(1)))
        assert two.entries() == []
        one.flush()
        assert len(two.entries()) == 1
        take(one, held(said(2)), origin("/b", "s2"))
    with closing(Catalog(tmp_path)) as later:
        assert len(later.entries()) == 2


def test_a_process_that_is_killed_leaves_what_was_flushed(tmp_path: Path) -> None:
    child = multiprocessing.get_context("spawn").Process(target=_write_and_hang, args=(tmp_path,))
    child.start()
    deadline = threading.Event()
    while not (tmp_path / "ready").exists():
        assert not deadline.wait(0.05) or child.is_alive()
    child.kill()
    child.join()
    with closing(Catalog(tmp_path)) as catalog:
        assert [(entry.id, texts(catalog, entry)) for entry in catalog.entries()] == [
            ("s1", ["words 1"])
        ]


def _write_and_hang(folder: Path) -> None:
    catalog = Catalog(folder)
    take(catalog, held(said(1)))
    catalog.flush()
    take(catalog, held(said(2)), origin("/b", "s2"))
    (folder / "ready").touch()
    threading.Event().wait(60)


def test_two_processes_that_write_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=_write_many, args=(tmp_path, name)) for name in "ab"]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0]
    with closing(Catalog(tmp_path)) as catalog:
        assert len(catalog.entries()) == 40
        assert all(texts(catalog, entry) == ["words 1"] for entry in catalog.entries())


def _write_many(folder: Path, name: str) -> None:
    with closing(Catalog(folder)) as catalog:
        for n in range(20):
            take(catalog, held(said(1)), origin(f"/{name}{n}", f"{name}{n}"))
            if n % 5 == 0:
                catalog.flush()


# -- what is deleted is made again


@pytest.mark.parametrize("lost", ["catalog.sqlite3", "cache/transcripts.sqlite3"])
@pytest.mark.parametrize("broken", [False, True])
def test_a_lost_or_broken_half_makes_everything_read_again(
    tmp_path: Path, lost: str, *, broken: bool
) -> None:
    with closing(Catalog(tmp_path)) as catalog:
        queue.done(catalog, take(catalog, held(said(1))), State.EXTRACTED, rules=1)
    if broken:
        (tmp_path / lost).write_bytes(b"no database " * 1000)
    else:
        (tmp_path / lost).unlink()
    with closing(Catalog(tmp_path)) as catalog:
        assert catalog.stamps() == {}
        assert catalog.bookmark("/a.jsonl") is None
        assert (
            queue.due(catalog, queue.Window(force=True)) == []
        )  # nothing is extracted from a text that is not there
        entry = take(catalog, held(said(1)))
        assert (entry.kept, entry.prompts, texts(catalog, entry)) == (1, 1, ["words 1"])


@pytest.mark.parametrize("column", ["header", "places", "state", "kept"])
@pytest.mark.parametrize(
    "damage", ["[" * 100_000, "5", '{"title": [1]}', '["/w", 3]', "{", b"\xff"]
)
def test_a_damaged_entry_is_made_anew_from_its_source(
    catalog: Catalog, column: str, damage: str | bytes
) -> None:
    whole = take(catalog, held(said(1)))
    if (column, damage) == ("kept", "5"):
        damage = "five"  # SQLite would make it a number
    catalog.execute(f"UPDATE sessions SET {column} = ?", (damage,))  # noqa: S608

    assert catalog.entries() == []
    assert catalog.stamps() == {}
    catalog.forget(origin())
    assert take(catalog, held(said(1))) == whole


def test_a_session_left_out_stays_so_when_the_cache_is_lost(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path)) as catalog:
        queue.skip(catalog, take(catalog, held(said(1))))
    (tmp_path / "cache" / "transcripts.sqlite3").unlink()
    with closing(Catalog(tmp_path)) as catalog:
        assert take(catalog, held(said(1))).state is State.SKIPPED


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path / "lerim")) as catalog:
        take(catalog, held(said(1)))
    for path in (tmp_path / "lerim").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


# -- judged again


def test_a_changed_territory_reads_again_only_what_was_not_wholly_ours(catalog: Catalog) -> None:
    catalog.judge_anew("before")
    take(catalog, held(said(1), said(2)), origin("/ours", "ours"))
    take(catalog, held(others=2), origin("/theirs", "theirs"))
    take(catalog, held(said(1), said(1, "b"), said(1, "c"), others=1), origin("/both", "both"))
    catalog.judge_anew("before")
    assert set(catalog.stamps()) == {"/ours", "/theirs", "/both"}
    catalog.judge_anew("after")
    assert set(catalog.stamps()) == {"/ours"}


def test_changed_ignored_paths_read_everything_again(catalog: Catalog) -> None:
    catalog.gate_anew("()")
    take(catalog, held(said(1)))
    catalog.gate_anew("()")
    assert set(catalog.stamps()) == {"/a.jsonl"}
    catalog.gate_anew("('private/',)")
    assert catalog.stamps() == {}
